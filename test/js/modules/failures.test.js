'use strict';

// The message of a module that does not load: which one, who asked for it,
// where, and what to do.

const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const { WorkerPool } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { rejection } = require('../support/promises.js');
const { folderWith, removeFolders, runIn } = require('./support.js');

afterEach(removeFolders);

/** The error of a pool of `entry`, and the folder as the texts have it. */
async function failure(files, entry = 'main.mjs') {
  const folder = folderWith(files);
  const pool = WorkerPool.create('failing', { module: join(folder, entry) });
  const error = await rejection(pool.invoke('run', null));
  await pool.stop();
  const short = (text) =>
    text
      .replaceAll(pathToFileURL(`${folder}/`).href, '@/')
      .replaceAll(folder, '@');
  return {
    code: error.code,
    hint: error.hint,
    message: short(`${error.cause?.message}`),
    cause: error.cause,
  };
}

describe('a file that is not there', () => {
  test('with its importer', async () => {
    const { code, message } = await failure({
      'main.mjs': `import './gone.mjs';`,
    });
    expect(code).toBe(Code.StartupFailed);
    expect(message).toBe(
      `Cannot find module '@/gone.mjs' imported from @/main.mjs`,
    );
  });

  test.each([
    ['./lib', 'lib.mjs', './lib.mjs'],
    ['./lib.js', 'lib.ts', './lib.ts'],
    ['./lib.mjs', 'lib.mts', './lib.mts'],
    ['./lib', 'lib/index.js', './lib/index.js'],
    ['./lib', 'lib.json', './lib.json'],
  ])('%s where %s is: did you mean %s?', async (wanted, there, meant) => {
    const files = { 'main.mjs': `import '${wanted}';`, [there]: '1' };
    const { message, code } = await failure(files);
    expect([code, message]).toEqual([
      Code.StartupFailed,
      expect.stringContaining(`imported from @/main.mjs`),
    ]);
    expect(message).toMatch(
      new RegExp(`; did you mean '${meant.replaceAll('.', '\\.')}'\\?$`),
    );
  });

  test('a pool’s own module has no importer', async () => {
    const { message } = await failure({}, 'none.mjs');
    expect(message).toBe(`Cannot find module '@/none.mjs'`);
  });
});

describe('built-ins', () => {
  test('one that nobody has', async () => {
    const { code, message, cause } = await failure({
      'main.mjs': `import 'node:no-such';`,
    });
    expect(code).toBe(Code.StartupFailed);
    expect(cause.code).toBe('ERR_UNKNOWN_BUILTIN_MODULE');
    expect(message).toMatch(
      /there is no built-in module node:no-such, imported by @\/main\.mjs/,
    );
  });

  test('one that needs Node', async () => {
    const { code, message } = await failure({
      'main.mjs': `import { readFileSync } from 'node:fs';
        export const run = () => readFileSync('x');`,
    });
    expect(code).toBe(Code.JobFailed);
    expect(message).toMatch(
      /node:fs \(readFileSync\), imported by @\/main\.mjs,.*host function/,
    );
  });
});

test('a built-in that there is not is one object, however it is named', async () => {
  const same = await runIn({
    'main.mjs': `import fs from 'fs'; import { createRequire } from 'node:module';
      import * as space from 'node:fs'; import other from './other.mjs';
      const require = createRequire(import.meta.url);
      export const run = async () => [
        require('fs') === fs, (await import('fs')).default === fs,
        (await import('fs')) === space, require('node:fs') === fs,
        require('./a.cjs') === fs, other === fs,
        require('p') === (await import('p/import.mjs')).default,
        require('child_process') === (await import('child_process')).default];`,
    'a.cjs': "module.exports = require('fs');",
    'other.mjs': "export { default } from 'fs';",
    'node_modules/p/index.js': "module.exports = require('net');",
    'node_modules/p/import.mjs': "export { default } from 'net';",
  });
  expect(same).toEqual([true, true, true, true, true, true, true, true]);
});

test('TypeScript that is none: file, line, column and what is wrong', async () => {
  const text = 'export enum A { B }\nconst b: number = ;\n';
  const { cause, message } = await failure({ 'main.ts': text }, 'main.ts');
  expect(cause.name).toBe('SyntaxError');
  expect(message).toMatch(/^@\/main\.ts:2:19: Expression expected\n/);
  expect(message).not.toMatch('Caused by');
});

describe('a name that is not defined', () => {
  test('CommonJS in an ES module', async () => {
    const { code, hint } = await failure(
      {
        'package.json': '{ "type": "module" }',
        'main.js': 'exports.run = () => 1;',
      },
      'main.js',
    );
    expect(code).toBe(Code.StartupFailed);
    expect(hint).toMatch(/"exports" exists in CommonJS files only.* \.cjs/);
  });

  test('in a file it is not told that functions are sent as source', async () => {
    const { code, hint } = await failure({
      'main.mjs': 'export const run = () => missing;',
    });
    expect(code).toBe(Code.JobFailed);
    expect(hint).toBe("look at error.cause: it is what the job's code threw");
  });

  test('in a function that was sent, it is', async () => {
    const pool = WorkerPool.create('sent');
    const { hint } = await rejection(pool.run(() => missing));
    await pool.stop();
    expect(hint).toMatch(/"missing" .* functions are sent as source/);
  });
});

describe('an ES module in what is CommonJS', () => {
  const esm = 'export const run = () => 1;';
  const byPackage = { 'package.json': '{ "type": "commonjs" }' };

  test.each([
    ['its name', { 'main.cjs': esm }, 'main.cjs', 'name it .mjs'],
    [
      'the "type" of its package.json',
      { ...byPackage, 'main.js': esm },
      'main.js',
      'name it .mjs, or say "type": "module" there',
    ],
    [
      'the "type" of its package.json',
      { ...byPackage, 'main.ts': `${esm}let n: number;` },
      'main.ts',
      'name it .mts, or say "type": "module" there',
    ],
    [
      'its name',
      { 'main.cjs': `require('./lib.cjs');`, 'lib.cjs': `import './x.mjs';` },
      'lib.cjs',
      'name it .mjs',
    ],
  ])('by %s: %o', async (why, files, file, way) => {
    const entry = 'main.cjs' in files ? 'main.cjs' : file;
    const { cause, message } = await failure(files, entry);
    expect(cause).toBeInstanceOf(SyntaxError);
    expect(message).toBe(
      `@/${file} is CommonJS by ${why}, and its text is an ES module: ${way}`,
    );
  });
});
