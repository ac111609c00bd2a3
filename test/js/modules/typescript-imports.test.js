'use strict';

// TypeScript projects name files as they are after compiling, leave extensions
// out, use the aliases of tsconfig.json, and syntax that becomes other code.
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const { Worker, WorkerPool } = require('../../../lib/index.js');
const { rejection } = require('../support/promises.js');
const support = require('./support.js');

const { folderWith, removeFolders } = support;

afterEach(removeFolders);

const ONE = 'export const one: number = 1;';

// Node's own loader refuses all of this.
const OTHER_CODE = `enum Level { Low = 1, High }
namespace Text { export const twice = (s: string) => s + s; }
class Point { constructor(private readonly x: number, public y = 2) {}
  sum() { return this.x + this.y; } }
export function run(input: { fail: boolean }): unknown[] {
  if (input.fail) throw new RangeError('here');
  return [Level.High, Level[1], Text.twice('a'), new Point(1).sum()];
}`;

describe.each(['isolate', 'thread'])('runtime %s', (runtime) => {
  const runModule = (path, input) =>
    support.runModule(path, input, { runtime });
  const runIn = (files, entry, input) =>
    runModule(join(folderWith(files), entry), input);

  describe('imports of a TypeScript file', () => {
    test.each([
      ['./one.js', 'one.ts'],
      ['./one.mjs', 'one.mts'],
      ['./one', 'one.ts'],
      ['./one', 'one.mts'],
      ['./one', 'one/index.ts'],
      ['../main/one.js', 'one.ts'],
      ['./one.js?v=1', 'one.ts'],
    ])('%s is %s', async (specifier, file) => {
      const answer = await runIn(
        {
          'main/main.ts': `import { one } from '${specifier}';
            export const run = (): number => one;`,
          [`main/${file}`]: ONE,
          'package.json': '{ "type": "module" }',
        },
        'main/main.ts',
      );
      expect(answer).toBe(1);
    });

    test('a URL of a compiled name', async () => {
      const answer = await runIn(
        {
          'main.mts': `export const run = async (): Promise<unknown> =>
            (await import(new URL('./a b.js', import.meta.url).href)).one;`,
          'a b.ts': ONE,
          'package.json': '{ "type": "module" }',
        },
        'main.mts',
      );
      expect(answer).toBe(1);
    });

    test('a file that is there comes first', async () => {
      const answer = await runIn(
        {
          'main.mts': `import { one } from './one.js';
            export const run = () => one;`,
          'one.js': 'export const one = "js";',
          'one.ts': 'export const one = "ts";',
          'package.json': '{ "type": "module" }',
        },
        'main.mts',
      );
      expect(answer).toBe('js');
    });

    test('import() and require() of CommonJS', async () => {
      const answer = await runIn(
        {
          'main.cts': `const { one } = require('./one');
            const { two } = require('./two.cjs');
            exports.run = async () => [one, two, (await import('./three.js')).three];`,
          'one.ts': 'exports.one = 1 as number;',
          'two.cts': 'exports.two = 2 as number;',
          'three.ts': 'exports.three = 3 as number;',
        },
        'main.cts',
      );
      expect(answer).toEqual([1, 2, 3]);
    });

    test('JavaScript gets no such help', async () => {
      const folder = folderWith({
        'main.mjs': "import './one.js'; export const run = () => 1;",
        'one.ts': ONE,
      });
      const error = await rejection(
        Worker.start(join(folder, 'main.mjs'), { runtime }),
      );
      expect(error.cause.code).toBe('ERR_MODULE_NOT_FOUND');
    });

    test('what is nowhere is told by the name that was written', async () => {
      const folder = folderWith({
        'main.mts': "import './nowhere.js'; export const run = () => 1;",
      });
      const error = await rejection(
        Worker.start(join(folder, 'main.mts'), { runtime }),
      );
      expect(error.cause.code).toBe('ERR_MODULE_NOT_FOUND');
      expect(error.cause.message).toContain('nowhere.js');
    });
  });

  describe('tsconfig.json', () => {
    const files = {
      'src/jobs/main.mts': `import { one } from '#lib/one.js';
        import { two } from 'shared/two';
        export const run = () => [one, two];`,
      'src/lib/one.ts': 'export const one = 1;',
      'src/shared/two.ts': 'export const two = 2;',
      'package.json': '{ "type": "module" }',
    };

    test('paths and baseUrl, with comments', async () => {
      const answer = await runIn(
        {
          ...files,
          'tsconfig.json': `{
            // The sources are here.
            "compilerOptions": {
              "baseUrl": "./src",
              "paths": { "#lib/*": ["lib/*"], },
            },
          }`,
        },
        'src/jobs/main.mts',
      );
      expect(answer).toEqual([1, 2]);
    });

    test('paths that another one gives', async () => {
      const answer = await runIn(
        {
          ...files,
          'base/tsconfig.base.json': JSON.stringify({
            compilerOptions: {
              paths: {
                '#lib/*': ['../src/lib/*'],
                'shared/*': ['../src/shared/*'],
              },
            },
          }),
          'tsconfig.json': '{ "extends": "./base/tsconfig.base.json" }',
        },
        'src/jobs/main.mts',
      );
      expect(answer).toEqual([1, 2]);
    });

    test('one that cannot be read is no obstacle to what needs none', async () => {
      const answer = await runIn(
        {
          'main.mts': `import { one } from './one.js';
            export const run = () => one;`,
          'one.ts': ONE,
          'package.json': '{ "type": "module" }',
          'tsconfig.json': '{ "extends": "./missing.json", ',
        },
        'main.mts',
      );
      expect(answer).toBe(1);
    });
  });

  describe('a module named as it is after compiling', () => {
    const text = 'export const run = (n: number): number => n + 1;';

    test('of a worker', async () => {
      const folder = folderWith({ 'tasks.ts': text });
      expect(await runModule(join(folder, 'tasks.js'), 1)).toBe(2);
    });

    test('of a pool, by URL', async () => {
      const folder = folderWith({ 'tasks.mts': text });
      const module = pathToFileURL(join(folder, 'tasks.mjs'));
      const pool = WorkerPool.create('by-url', { module, runtime });
      expect(await pool.invoke('run', 1)).toBe(2);
      await pool.stop();
    });

    test('the compiled one comes first', async () => {
      const folder = folderWith({
        'tasks.ts': text,
        'tasks.js': 'exports.run = () => "compiled";',
      });
      expect(await runModule(join(folder, 'tasks.js'), 1)).toBe('compiled');
    });

    test('of a job', async () => {
      const folder = folderWith({ 'tasks.mts': text });
      const pool = WorkerPool.create('of-a-job', { runtime });
      const modules = { tasks: join(folder, 'tasks.mjs') };
      const job = ({ modules, input }) => modules.tasks.run(input);
      expect(await pool.run(job, { input: 1, modules })).toBe(2);
      await pool.stop();
    });
  });

  describe('syntax that becomes other code', () => {
    test('enums, namespaces and parameter properties', async () => {
      const answer = await runIn({ 'main.ts': OTHER_CODE }, 'main.ts', {
        fail: false,
      });
      expect(answer).toEqual([2, 'Low', 'aa', 3]);
    });

    test('errors show the lines that were written', async () => {
      const folder = folderWith({ 'main.ts': OTHER_CODE });
      for (let i = 0; i < 2; i++) {
        const failed = runModule(join(folder, 'main.ts'), { fail: true });
        const { cause } = await rejection(failed);
        expect(cause.message).toBe('here');
        expect(cause.stack).toMatch(/main\.ts:6:25/);
      }
    });

    test('stacks that the job reads show them too', async () => {
      const folder = folderWith({
        'main.cts': `enum A { B }
          exports.run = (): string | undefined => new Error(A[0]).stack;`,
      });
      const stack = await runModule(join(folder, 'main.cts'));
      expect(stack).toMatch(/main\.cts:2:\d+/);
    });

    test('what is wrong in any mode names its place', async () => {
      const folder = folderWith({
        'main.ts': 'enum A { B }\nconst const = 1;',
      });
      const error = await rejection(
        Worker.start(join(folder, 'main.ts'), { runtime }),
      );
      expect(error.cause.code).toBe('ERR_INVALID_TYPESCRIPT_SYNTAX');
      expect(error.cause.message).toMatch(/main\.ts:2:/);
    });
  });
});
