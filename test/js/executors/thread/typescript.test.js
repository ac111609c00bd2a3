'use strict';
// Loaders of the program's come first in threads, and JavaScript pays nothing.
// The syntax that TypeScript files may have is in
// test/js/modules/typescript-imports.test.js.

const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const { WorkerPool } = require('../../../../lib/index.js');
const {
  createMessageWorker,
} = require('../../../../lib/message-worker/message-worker.js');
const { folderWith, removeFolders } = require('../../modules/support.js');

afterEach(removeFolders);

async function inThread(options, use) {
  const pool = WorkerPool.create('typed', { runtime: 'thread', ...options });
  try {
    return await use(pool);
  } finally {
    await pool.stop();
  }
}

test('a function that is sent imports TypeScript', async () => {
  const folder = folderWith({
    'one.mts': 'export enum Level { Low = 1 }\nexport const one = Level.Low;',
  });
  const url = pathToFileURL(join(folder, 'one.mts')).href;
  const job = new Function(`return async () => (await import('${url}')).one`)();
  expect(await inThread({}, (pool) => pool.run(job))).toBe(1);
});

test('a module of CommonJS by its package may be written with import', async () => {
  const folder = folderWith({
    'tasks.ts': `import { one } from './one';
      export const run = (): number => one;`,
    'one.ts': 'export const one: number = 1;',
    'package.json': '{ "type": "commonjs" }',
  });
  const module = join(folder, 'tasks.ts');
  expect(await inThread({ module }, (pool) => pool.invoke('run'))).toBe(1);
});

test('JavaScript loads nothing of it', async () => {
  const folder = folderWith({
    'tasks.cjs': `exports.run = () =>
      Object.keys(require.cache).filter((name) => /hooks\\.js$/.test(name));`,
  });
  const module = join(folder, 'tasks.cjs');
  expect(await inThread({ module }, (pool) => pool.invoke('run'))).toEqual([]);
});

test('the script of a message worker', async () => {
  const folder = folderWith({
    'worker.ts': `import { twice } from './twice.js';
      onmessage = ({ data }: { data: number }) => postMessage(twice(data));`,
    'twice.ts': 'export const twice = (n: number): number => n * 2;',
    'package.json': '{ "type": "module" }',
  });
  const worker = createMessageWorker({
    module: join(folder, 'worker.ts'),
    runtime: 'thread',
  });
  const answer = new Promise((resolve) => worker.once('message', resolve));
  worker.postMessage(21);
  expect(await answer).toBe(42);
  await worker.terminate();
});

const nodeStrips = Boolean(process.features.typescript);
const withoutNode = nodeStrips ? test.skip : test;

withoutNode('a hooked require() takes what import cannot', async () => {
  const folder = folderWith({
    'hook.cjs': `require.extensions['.ts'] = (module, file) => module._compile(
      'exports.run = () => "by the hook, " + require("./one.js").name;', file);
      require.extensions['.mts'] = require.extensions['.ts'];`,
    'tasks.ts': 'whatever the hook reads',
    'one.ts': 'whatever',
    'one.js': 'exports.name = __filename.slice(-6);',
  });
  const module = join(folder, 'tasks.ts');
  const execArgv = ['--require', join(folder, 'hook.cjs')];
  const answer = await inThread({ module, execArgv }, (pool) =>
    pool.invoke('run'),
  );
  expect(answer).toBe('by the hook, one.js');
});

test('hooks of the program come first', async () => {
  const folder = folderWith({
    'hooks.mjs': `export async function load(url, context, next) {
      if (!url.endsWith('tasks.mts')) return next(url, context);
      const source = 'export const run = () => "by the hooks"';
      return { format: 'module', source, shortCircuit: true };
    }`,
    'register.mjs': `import { register } from 'node:module';
      register('./hooks.mjs', import.meta.url);`,
    'tasks.mts': 'what only the hooks read',
  });
  const register = pathToFileURL(join(folder, 'register.mjs')).href;
  const module = join(folder, 'tasks.mts');
  const execArgv = ['--import', register];
  const answer = await inThread({ module, execArgv }, (pool) =>
    pool.invoke('run'),
  );
  expect(answer).toBe('by the hooks');
});
