'use strict';

const { execFileSync } = require('node:child_process');
const {
  chmodSync,
  mkdirSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} = require('node:fs');
const { join } = require('node:path');

const { WorkerPool } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { folderWith, removeFolders } = require('./support.js');

afterEach(removeFolders);

const unix = process.platform === 'win32' ? test.skip : test;
const HUGE = 2 ** 40;

async function failureOf(files, prepare) {
  const folder = folderWith(files);
  prepare?.(folder);
  const module = join(folder, 'main.mjs');
  const pool = WorkerPool.create('files', { module, workers: 1 });
  try {
    const { code, cause } = await pool.invoke('run').then(
      (value) => ({ code: value }),
      (error) => error,
    );
    return [code, cause?.code];
  } finally {
    await pool.stop();
  }
}

function grown(folder, name) {
  const path = join(folder, name);
  for (const bytes of [HUGE, HUGE / 8, 2 ** 33]) {
    try {
      truncateSync(path, bytes);
      return;
    } catch {
      // This file system has no files of that size.
    }
  }
}

const RUN = 'export const run = () => 1;';

test.each([
  ['a module', "import 'huge/index.mjs';", 'index.mjs'],
  ['CommonJS', "import 'huge/index.cjs';", 'index.cjs'],
  ['a file that may be either', "import 'huge/index.js';", 'index.js'],
  ['TypeScript', "import 'huge/index.mts';", 'index.mts'],
  [
    'JSON',
    "import x from 'huge/index.json' with { type: 'json' };",
    'index.json',
  ],
  [
    'what is required',
    "import { createRequire } from 'node:module'; createRequire(import.meta.url)('huge/index.cjs');",
    'index.cjs',
  ],
  ['what import() loads', "await import('huge/index.mjs');", 'index.mjs'],
])('%s of a package may be too large', async (_, text, name) => {
  const file = `node_modules/huge/${name}`;
  const files = { 'main.mjs': `${text}\n${RUN}`, [file]: '' };
  expect(await failureOf(files, (folder) => grown(folder, file))).toEqual([
    Code.StartupFailed,
    'ERR_OUT_OF_RANGE',
  ]);
});

test('a manifest that is too large counts as none', async () => {
  const files = {
    'main.mjs': `import 'huge';\n${RUN}`,
    'node_modules/huge/package.json': '{}',
  };
  const [code] = await failureOf(files, (folder) =>
    grown(folder, 'node_modules/huge/package.json'),
  );
  expect(code).toBe(Code.StartupFailed);
});

test('a source map that is too large counts as none', async () => {
  const files = {
    'main.mjs': `export const run = () => 1;\n//# sourceMappingURL=main.map\n`,
    'main.map': '',
  };
  expect(await failureOf(files, (folder) => grown(folder, 'main.map'))).toEqual(
    [1, undefined],
  );
});

test('a package that reads a file of its own that is too large gets an error', async () => {
  const read = `import { readFileSync } from 'node:fs';
    export let code = 'none';
    try { readFileSync(new URL('./data.bin', import.meta.url)); }
    catch (e) { code = e.code; }`;
  const files = {
    'main.mjs':
      "import { code } from 'pkg/index.mjs'; export const run = () => code;",
    'node_modules/pkg/index.mjs': read,
    'node_modules/pkg/data.bin': '',
  };
  expect(
    await failureOf(files, (folder) =>
      grown(folder, 'node_modules/pkg/data.bin'),
    ),
  ).toEqual(['ERR_FS_FILE_TOO_LARGE', undefined]);
});

unix.each([
  ['a folder', (path) => mkdirSync(path)],
  ['a FIFO', (path) => execFileSync('mkfifo', [path])],
  ['a device', (path) => symlinkSync('/dev/zero', path)],
  ['a loop of links', (path) => symlinkSync(path, path)],
  ['a link to nothing', (path) => symlinkSync(`${path}x`, path)],
])('%s is no module', async (_, make) => {
  for (const name of ['x.mjs', 'node_modules/p/x.cjs', 'package.json']) {
    const files = {
      'main.mjs': `${name === 'package.json' ? "import './y.js';" : `import '${name.startsWith('node') ? 'p/x.cjs' : './x.mjs'}';`}\n${RUN}`,
      'y.js': '',
      'node_modules/p/y.cjs': '',
    };
    const [code, why] = await failureOf(files, (folder) =>
      make(join(folder, name)),
    );
    if (name === 'package.json') {
      expect(code).toBe(1);
    } else {
      expect(code).toBe(Code.StartupFailed);
      expect(why).toMatch(/^ERR_(MODULE_NOT_FOUND|UNSUPPORTED_DIR_IMPORT)$/);
    }
  }
});

unix('a file that may not be read is named', async () => {
  const files = { 'main.mjs': `import './x.mjs';\n${RUN}`, 'x.mjs': '' };
  const [code] = await failureOf(files, (folder) =>
    chmodSync(join(folder, 'x.mjs'), 0),
  );
  // root may read it.
  expect([Code.StartupFailed, 1]).toContain(code);
});

test('a file that vanishes while a graph loads is named', async () => {
  const files = {
    'main.mjs': `export async function run() {
      return await import('./late.mjs').then(() => 'there', (e) => e.code);
    }`,
    'late.mjs': "import './gone.mjs';",
  };
  expect((await failureOf(files))[0]).toBe('ERR_MODULE_NOT_FOUND');
});

test('bytes that are no text are a syntax error', async () => {
  const files = { 'main.mjs': `import './x.mjs';\n${RUN}` };
  const [code] = await failureOf(files, (folder) =>
    writeFileSync(join(folder, 'x.mjs'), Buffer.alloc(100_000, 0xff)),
  );
  expect(code).toBe(Code.StartupFailed);
});

// V8 11 ended the process when the place of the fault was to be shown.
test('a syntax error is told where a program formats stacks and throws', async () => {
  const files = {
    'main.mjs': `export async function run() {
      Error.prepareStackTrace = () => { throw new Error('own'); };
      return await import('./bad.mjs').then(() => 'there', (e) => e.message);
    }`,
    'bad.mjs': 'a b',
  };
  expect((await failureOf(files))[0]).toBe('own');
});
