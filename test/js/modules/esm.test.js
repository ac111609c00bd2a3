'use strict';

const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const { Worker } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { rejection } = require('../support/promises.js');
const { folderWith, removeFolders, runIn, runModule } = require('./support.js');

const NODE_20 = process.versions.node.startsWith('20.');

afterEach(removeFolders);

test('live bindings, cycles and one instance per URL', async () => {
  const answer = await runIn({
    'main.mjs': `
      import { count, add } from './counter.mjs';
      import { count as other } from './counter.mjs?second';
      import { early } from './cycle.mjs';
      export const mark = 'main';
      export async function run() {
        add();
        const same = await import('./counter.mjs');
        return [count, same.count, other, early()];
      }`,
    'counter.mjs': 'export let count = 1; export function add() { count++; }',
    'cycle.mjs': `import { mark } from './main.mjs';
      export const early = () => mark;`,
  });
  expect(answer).toEqual([2, 2, 1, 'main']);
});

test('top-level await is awaited before the first call', async () => {
  const answer = await runIn({
    'main.mjs': `import value from './slow.mjs';
      export function run() { return value; }`,
    'slow.mjs': `await new Promise((resolve) => setTimeout(resolve, 5));
      export default 'awaited';`,
  });
  expect(answer).toBe('awaited');
});

test('import.meta', async () => {
  const folder = folderWith({
    'a b/main.mjs': `export function run() {
      const { url, filename, dirname, resolve } = import.meta;
      return [url, filename, dirname, resolve('./x.js'), resolve('node:fs')];
    }`,
  });
  const path = join(folder, 'a b', 'main.mjs');
  expect(await runModule(path)).toEqual([
    pathToFileURL(path).href,
    path,
    join(folder, 'a b'),
    pathToFileURL(join(folder, 'a b', 'x.js')).href,
    'node:fs',
  ]);
});

test('file: and data: URLs', async () => {
  const folder = folderWith({ 'two.mjs': 'export default 2;' });
  const url = pathToFileURL(join(folder, 'two.mjs')).href;
  const json = `data:application/json;base64,${Buffer.from('{"n":"é"}').toString('base64')}`;
  const answer = await runIn({
    'main.mjs': `
      import two from '${url}';
      import json from '${json}' with { type: 'json' };
      export async function run() {
        const one = await import('data:text/javascript,export default 1');
        return [one.default, two, json.n];
      }`,
  });
  expect(answer).toEqual([1, 2, 'é']);
});

test('JSON needs its attribute, and nothing else may have it', async () => {
  const files = {
    'd.json': '{"a": 1}',
    'm.mjs': 'export default 1;',
    'main.mjs': `
      import d from './d.json' with { type: 'json' };
      export async function run() {
        const codes = [];
        for (const [name, options] of [
          ['./d.json', undefined],
          ['./m.mjs', { with: { type: 'json' } }],
          ['./m.mjs', { with: { type: 'text' } }],
        ]) {
          await import(name, options).catch((error) => codes.push(error.code));
        }
        return [d.a, codes];
      }`,
  };
  expect(await runIn(files)).toEqual([
    1,
    [
      NODE_20
        ? 'ERR_IMPORT_ASSERTION_TYPE_MISSING'
        : 'ERR_IMPORT_ATTRIBUTE_MISSING',
      NODE_20
        ? 'ERR_IMPORT_ASSERTION_TYPE_FAILED'
        : 'ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE',
      NODE_20
        ? 'ERR_IMPORT_ASSERTION_TYPE_UNSUPPORTED'
        : 'ERR_IMPORT_ATTRIBUTE_UNSUPPORTED',
    ],
  ]);
});

test('the package type decides about .js, and syntax when there is none', async () => {
  const answer = await runIn({
    'package.json': '{}',
    'main.mjs': `
      import a from './a/x.js';
      import b from './b/x.js';
      import c from './c.js';
      import d from './d.js';
      export function run() { return [a, b, c, d]; }`,
    'a/package.json': '{"type":"module"}',
    'a/x.js': 'export default typeof module;',
    'b/package.json': '{"type":"commonjs"}',
    'b/x.js': 'module.exports = typeof module;',
    'c.js': 'export default typeof require;',
    'd.js': 'module.exports = typeof require;',
  });
  expect(answer).toEqual(['undefined', 'object', 'undefined', 'function']);
});

describe('what is wrong names its file', () => {
  const start = async (files) => {
    const path = join(folderWith(files), 'main.mjs');
    const error = await rejection(Worker.start(path));
    expect(error.code).toBe(Code.StartupFailed);
    return error.cause;
  };

  test('a file that is missing, and who wanted it', async () => {
    const cause = await start({ 'main.mjs': "import './gone.mjs';" });
    expect(cause.code).toBe('ERR_MODULE_NOT_FOUND');
    expect(cause.message).toMatch(/gone\.mjs' imported from .*main\.mjs/);
  });

  test('a package that is missing', async () => {
    const cause = await start({ 'main.mjs': "import 'no-such-package';" });
    expect(cause.code).toBe('ERR_MODULE_NOT_FOUND');
    expect(cause.message).toMatch(
      /Cannot find package 'no-such-package' imported from .*main\.mjs/,
    );
  });

  test('a syntax error: line and text', async () => {
    const cause = await start({
      'main.mjs': "import './bad.mjs';",
      'bad.mjs': 'const a = 1;\nconst a = 2;',
    });
    expect(cause).toBeInstanceOf(SyntaxError);
    expect(cause.stack).toMatch(/bad\.mjs:2\nconst a = 2;\n {6}\^/);
  });

  test('an export that is missing', async () => {
    const cause = await start({
      'main.mjs': "import { nope } from './ok.mjs';",
      'ok.mjs': 'export const a = 1;',
    });
    expect(cause.message).toMatch(/does not provide an export named 'nope'/);
    expect(cause.stack).toMatch(/main\.mjs:1\n/);
  });

  test('an error while it runs, three modules deep', async () => {
    const cause = await start({
      'main.mjs': "import './one.mjs';",
      'one.mjs': "import './two.mjs';",
      'two.mjs': "\n  throw new Error('deep', { cause: 'why' });",
    });
    expect(cause.stack).toMatch(/two\.mjs:2:9/);
    expect(cause.cause).toBe('why');
  });

  test('a scheme that is not offered', async () => {
    const cause = await start({ 'main.mjs': "import 'https://a.b/c.js';" });
    expect(cause.code).toBe('ERR_UNSUPPORTED_ESM_URL_SCHEME');
  });
});

test('a module that failed stays failed, and can be caught', async () => {
  const answer = await runIn({
    'main.mjs': `export async function run() {
      const seen = [];
      for (let i = 0; i < 2; i++) {
        await import('./throws.mjs').catch((error) => seen.push(error));
      }
      return [seen[0].message, seen[0] === seen[1]];
    }`,
    'throws.mjs': "throw new Error('once');",
  });
  expect(answer).toEqual(['once', true]);
});
