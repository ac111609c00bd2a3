'use strict';

const { join } = require('node:path');

const {
  NAMES_OF_ALL,
  folderWith,
  removeFolders,
  runIn,
  runModule,
} = require('./support.js');

afterEach(removeFolders);

test('a worker may be CommonJS', async () => {
  const folder = folderWith({
    'main.cjs': `exports.run = (input) => [input, __filename, __dirname,
      module.filename === __filename, require.cache[__filename] === module,
      this === undefined];`,
  });
  const path = join(folder, 'main.cjs');
  expect(await runModule(path, 7)).toEqual([
    7,
    path,
    folder,
    true,
    true,
    false,
  ]);
});

test('extensions, folders, JSON, cycles and the cache', async () => {
  const answer = await runIn(
    {
      'main.cjs': `
        const a = require('./a');
        const folder = require('./folder');
        const data = require('./data');
        exports.run = () => [a.name, a.b.seen, folder, data.list,
          require('./a.js') === a, require.resolve('./folder') ===
          __dirname + '/folder/index.js'];`,
      'a.js': `exports.early = 1; exports.b = require('./b'); exports.name = 'a';`,
      'b.js': `const a = require('./a'); exports.seen = [a.early, a.name === undefined];`,
      'folder/index.js': `module.exports = 'index';`,
      'data.json': '{"list":[1,2]}',
    },
    'main.cjs',
  );
  expect(answer).toEqual(['a', [1, true], 'index', [1, 2], true, true]);
});

test('importers see named exports, also through re-exports', async () => {
  const answer = await runIn({
    'main.mjs': `
      import all, { one, two } from './lib.cjs';
      import * as space from './lib.cjs';
      export function run() {
        return [one, two, all.one, Object.keys(space)];
      }`,
    'lib.cjs': `module.exports = require('./inner.cjs');
      module.exports.one = 1;`,
    'inner.cjs': 'exports.two = 2;',
  });
  expect(answer[0]).toBe(1);
  expect(answer[1]).toBe(2);
  expect(answer[2]).toBe(1);
  expect(answer[3]).toEqual(
    expect.arrayContaining([...NAMES_OF_ALL, 'one', 'two']),
  );
});

test('a getter is an export whatever it returns', async () => {
  const answer = await runIn(
    {
      'main.mjs': `
        import { called, member, sum } from './lib.cjs';
        export const run = () => [called, member, sum];`,
      'lib.cjs': `
        const interop = (m) => (m && m.__esModule ? m : { default: m });
        const part = { name: 'p' };
        Object.defineProperty(exports, '__esModule', { value: true });
        Object.defineProperty(exports, 'called', { enumerable: true, get: function () { return interop(part).default; } });
        Object.defineProperty(exports, "member", { enumerable: !0, get() { return part.name } });
        Object.defineProperty(module.exports, 'sum', {
          enumerable: true,
          get: () => 1 + 1,
        });`,
    },
    'main.mjs',
  );
  expect(answer).toEqual([{ name: 'p' }, 'p', 2]);
});

test('require of a module, unless it awaits', async () => {
  const answer = await runIn(
    {
      'main.cjs': `exports.run = () => {
        const ok = require('./ok.mjs');
        let code;
        try { require('./awaits.mjs'); } catch (error) { code = error.code; }
        return [ok.default, ok.named, ok.__esModule, code];
      };`,
      'ok.mjs': 'export default 1; export const named = 2;',
      'awaits.mjs': 'export default await 1;',
    },
    'main.cjs',
  );
  expect(answer).toEqual([1, 2, true, 'ERR_REQUIRE_ASYNC_MODULE']);
});

test('a module that is missing has the code that packages look for', async () => {
  const answer = await runIn(
    {
      'main.cjs': `exports.run = () => {
        const codes = [];
        for (const name of ['./gone', 'no-such-package']) {
          try { require(name); } catch (error) {
            codes.push([error.code, /main\\.cjs/.test(error.message)]);
          }
        }
        return codes;
      };`,
    },
    'main.cjs',
  );
  expect(answer).toEqual([
    ['MODULE_NOT_FOUND', true],
    ['MODULE_NOT_FOUND', true],
  ]);
});

test('a file that threw is run again by the next require', async () => {
  const answer = await runIn(
    {
      'main.cjs': `exports.run = () => {
        globalThis.runs = 0;
        const seen = [];
        for (let i = 0; i < 2; i++) {
          try { require('./throws.cjs'); } catch (error) { seen.push(error.message); }
        }
        return seen;
      };`,
      'throws.cjs': "throw new Error('run ' + ++globalThis.runs);",
    },
    'main.cjs',
  );
  expect(answer).toEqual(['run 1', 'run 2']);
});

test('createRequire from a module', async () => {
  const answer = await runIn({
    'main.mjs': `import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      export function run() { return require('./x.cjs').x; }`,
    'x.cjs': 'exports.x = 1;',
  });
  expect(answer).toBe(1);
});

test('a module made of a text, as packages do that change a source before they run it', async () => {
  const answer = await runIn({
    'main.mjs': `import Module from 'node:module';
      import { fileURLToPath } from 'node:url';
      const text = "#!/bin/x\\nconst { x } = require('./x.cjs');\\n" +
        'exports.is = [x, __dirname === module.path, module === this.m, new Error().stack];';
      export function run() {
        const file = fileURLToPath(new URL('./made.cjs', import.meta.url));
        const module = new Module(file);
        module.exports.m = module;
        module._compile(text, file);
        const [x, path, self, stack] = module.exports.is;
        return [x, path, self, stack.includes(file + ':3:'), module.require('./x.cjs').x,
          module instanceof Module.Module, Module.wrap('1').length > 60];
      }`,
    'x.cjs': 'exports.x = 1;',
  });
  expect(answer).toEqual([1, true, true, true, 1, true, true]);
});

test('without eval no module is made of a text', async () => {
  const folder = folderWith({
    'main.mjs': `import Module from 'node:module';
      export function run() {
        try { new Module('a')._compile('1', 'a'); }
        catch (error) { return error.name; }
      }`,
  });
  const file = join(folder, 'main.mjs');
  expect(await runModule(file, null, { allowEval: false })).toBe('EvalError');
});
