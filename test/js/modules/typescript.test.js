'use strict';

const { join } = require('node:path');

const { Worker, WorkerPool } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { rejection } = require('../support/promises.js');
const { folderWith, removeFolders, runIn } = require('./support.js');

afterEach(removeFolders);

test('.ts, .mts and .cts by type stripping', async () => {
  const answer = await runIn(
    {
      'main.ts': `
        import { twice } from './lib.mts';
        import { shout } from './old.cts';
        interface Input { n: number }
        export function run(input: Input): [number, string] {
          return [twice(input.n), shout('é' as string)];
        }`,
      'lib.mts': 'export const twice = (n: number): number => n * 2;',
      'old.cts': 'exports.shout = (s: string): string => s.toUpperCase();',
    },
    'main.ts',
    { n: 21 },
  );
  expect(answer).toEqual([42, 'É']);
});

test('positions are those of the source', async () => {
  const folder = folderWith({
    'main.ts': `type A = { a: number };
const a: A = { a: 1 }; throw new Error('here');`,
  });
  const error = await rejection(Worker.start(join(folder, 'main.ts')));
  expect(error.cause.stack).toMatch(/main\.ts:2:30/);
});

test('what is no TypeScript names the file', async () => {
  const folder = folderWith({ 'main.ts': 'const const = 1;\nexport {};' });
  const error = await rejection(Worker.start(join(folder, 'main.ts')));
  expect(error.cause.code).toBe('ERR_INVALID_TYPESCRIPT_SYNTAX');
  expect(error.cause.message).toMatch(/main\.ts:1:/);
});

test('an error three modules deep shows its places, its cause and the caller', async () => {
  const folder = folderWith({
    'a.ts': `import { middle } from './b.ts';
      export function run(id: number): number { return middle(id); }`,
    'b.ts': `import { parse } from './c.ts';

      export const middle = (id: number): number => parse({ id });`,
    'c.ts': `interface Row { id: number }
export function parse(row: Row): number {
  try { return JSON.parse('{'); }
  catch (error: unknown) {
    throw new TypeError(\`row \${row.id}\`, { cause: error });
  }
}`,
  });
  const pool = WorkerPool.create('deep', { module: join(folder, 'a.ts') });
  async function caller() {
    return await pool.invoke('run', 7);
  }
  const { code, cause } = await rejection(caller());
  await pool.stop();
  expect(code).toBe(Code.JobFailed);
  expect([cause.name, cause.message]).toEqual(['TypeError', 'row 7']);
  const places = (error) => error.stack.match(/[abc]\.ts:\d+:\d+/g);
  expect(places(cause)).toEqual(['c.ts:5:11', 'b.ts:3:53', 'a.ts:2:56']);
  expect(cause.stack).toMatch(/at (?:async )?caller \(/);
  expect(cause.cause.name).toBe('SyntaxError');
  expect(places(cause.cause)).toEqual(['c.ts:3:21', 'b.ts:3:53', 'a.ts:2:56']);
});
