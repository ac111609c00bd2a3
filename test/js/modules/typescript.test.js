'use strict';

const { join } = require('node:path');

const { Worker } = require('../../../lib/index.js');
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

test('what cannot be stripped names the file', async () => {
  const folder = folderWith({ 'main.ts': 'enum A { B }\nexport {};' });
  const error = await rejection(Worker.start(join(folder, 'main.ts')));
  expect(error.cause.code).toBe('ERR_INVALID_TYPESCRIPT_SYNTAX');
  expect(error.cause.message).toMatch(/main\.ts/);
});
