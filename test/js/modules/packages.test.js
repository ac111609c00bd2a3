'use strict';

const {
  cpSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} = require('node:fs');
const { join } = require('node:path');

const { WorkerPool } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const {
  NAMES_OF_ALL,
  folderWith,
  removeFolders,
  runIn,
  runModule,
} = require('./support.js');

afterEach(removeFolders);

const manifest = (fields) => JSON.stringify({ name: 'pkg', ...fields });

test('conditions: worker wherever it is, then what Node would take', async () => {
  const answer = await runIn({
    'node_modules/pkg/package.json': manifest({
      exports: {
        './w': { browser: './b.js', node: './n.js', worker: './w.js' },
        './i': { require: './r.js', import: './i.mjs', default: './d.js' },
        './d': { browser: './b.js', default: './d.js' },
        './n': { browser: './b.js', node: './n.js', default: './d.js' },
        './deep/*': './deep/*.js',
      },
    }),
    ...Object.fromEntries(
      ['b', 'n', 'w', 'r', 'd', 'deep/x'].map((name) => [
        `node_modules/pkg/${name}.js`,
        `module.exports = '${name}';`,
      ]),
    ),
    'node_modules/pkg/i.mjs': "export default 'i';",
    'main.mjs': `
      import { createRequire } from 'node:module';
      import w from 'pkg/w';
      import i from 'pkg/i';
      import d from 'pkg/d';
      import n from 'pkg/n';
      import x from 'pkg/deep/x';
      const require = createRequire(import.meta.url);
      export async function run() {
        const hidden = await import('pkg/b.js').catch((error) => error.code);
        return [w, i, require('pkg/i'), d, n, x, hidden];
      }`,
  });
  expect(answer).toEqual([
    'w',
    'i',
    'r',
    'd',
    'n',
    'deep/x',
    'ERR_PACKAGE_PATH_NOT_EXPORTED',
  ]);
});

test('main, imports, self-reference and scoped names', async () => {
  const answer = await runIn({
    'package.json': JSON.stringify({
      name: 'self',
      exports: { './me': './me.mjs' },
      imports: { '#inner': './inner.mjs' },
    }),
    'me.mjs': "export default 'me';",
    'inner.mjs': "export default 'inner';",
    'node_modules/@s/old/package.json': '{"main":"lib/entry"}',
    'node_modules/@s/old/lib/entry.js': "exports.old = 'main';",
    'node_modules/bare/index.js': "module.exports = 'index';",
    'main.mjs': `
      import me from 'self/me';
      import inner from '#inner';
      import { old } from '@s/old';
      import bare from 'bare';
      export function run() { return [me, inner, old, bare]; }`,
  });
  expect(answer).toEqual(['me', 'inner', 'main', 'index']);
});

test('a package that is a link is known by its real path', async () => {
  const real = folderWith({
    'pkg/index.mjs': 'export default import.meta.filename;',
    'pkg/package.json': manifest({ exports: './index.mjs' }),
  });
  const folder = folderWith({
    'node_modules/.keep': '',
    'main.mjs': `import name from 'pkg'; export function run() { return name; }`,
  });
  symlinkSync(join(real, 'pkg'), join(folder, 'node_modules', 'pkg'), 'dir');
  expect(await runModule(join(folder, 'main.mjs'))).toBe(
    join(real, 'pkg', 'index.mjs'),
  );
});

test('built-ins work, and those that need Node fail when they are used', async () => {
  const path = join(
    folderWith({
      'main.mjs': `
        import { join } from 'path';
        import { readFileSync } from 'node:fs';
        import http from 'http';
        export function run() {
          const codes = [];
          for (const use of [() => readFileSync('x'), () => http.get('x')]) {
            try { use(); } catch (error) { codes.push([error.code, error.message]); }
          }
          return [join('a', '..', 'b'), codes];
        }`,
    }),
    'main.mjs',
  );
  const [joined, errors] = await runModule(path);
  expect(joined).toBe('b');
  for (const [index, name] of [
    'node:fs (readFileSync)',
    'node:http (get)',
  ].entries()) {
    const [code, message] = errors[index];
    expect(code).toBe(Code.StartupFailed);
    expect(message).toContain(name);
    expect(message).toContain('main.mjs');
    expect(message).toContain('host function');
  }
});

test('a function of a pool imports from the working directory', async () => {
  const pool = WorkerPool.create('inline', { workers: 1 });
  const parsed = await pool.run(async () => {
    const { parse } = await import('acorn');
    return parse('1 + 1', { ecmaVersion: 2022 }).body.length;
  });
  await pool.stop();
  expect(parsed).toBe(1);
});

test('neither poisoned built-ins nor forbidden eval stop the loader', async () => {
  const folder = folderWith({
    'node_modules/pkg/package.json': manifest({ exports: './index.cjs' }),
    'node_modules/pkg/index.cjs': 'exports.fine = true;',
    'main.mjs': `
      const seen = [];
      for (const Class of [Array, Map, Set, String, RegExp, Function]) {
        for (const name of Object.getOwnPropertyNames(Class.prototype)) {
          const { value, writable } =
            Object.getOwnPropertyDescriptor(Class.prototype, name);
          if (typeof value !== 'function' || !writable) continue;
          if (name === 'constructor') continue;
          Class.prototype[name] = new Proxy(value, {
            apply(target, self, args) {
              for (const item of [self, ...args]) {
                if (item !== null && typeof item === 'object' &&
                    ('readText' in item || 'callTool' in item)) {
                  seen[seen.length] = name;
                }
              }
              return Reflect.apply(target, self, args);
            },
          });
        }
      }
      export async function run() {
        const { fine } = await import('pkg');
        return [fine, seen.length];
      }`,
  });
  expect(
    await runModule(join(folder, 'main.mjs'), null, { allowEval: false }),
  ).toEqual([true, 0]);
});

test('a package that is not there is told without a place in our loader', async () => {
  const folder = folderWith({
    'main.mjs': "import 'nowhere';",
  });
  const error = await runModule(join(folder, 'main.mjs')).catch((e) => e);
  expect(error.cause.stack).toMatch(/^Error: Cannot find package 'nowhere'/);
});

// A file that was changed lately is not remembered.
function age(folder, names, seconds) {
  for (const name of names) utimesSync(join(folder, name), seconds, seconds);
}

test('the next worker sees what changed on disk', async () => {
  const pkg = 'node_modules/pkg/package.json';
  const folder = folderWith({
    [pkg]: manifest({ exports: './a.js' }),
    'node_modules/pkg/a.js': "exports.from = 'a';",
    'node_modules/pkg/b.js': "exports.from = 'b'; exports.more = 1;",
    'main.mjs': `
      import * as pkg from 'pkg';
      import { n } from './n.mts';
      export const run = () => [Object.keys(pkg), pkg.from, n];`,
    'n.mts': 'export const n: number = 1;',
  });
  const main = join(folder, 'main.mjs');
  age(folder, [pkg, 'node_modules/pkg/a.js', 'n.mts'], 1000);
  const names = [...NAMES_OF_ALL, 'from'].sort();
  expect(await runModule(main)).toEqual([names, 'a', 1]);
  expect(await runModule(main)).toEqual([names, 'a', 1]);

  writeFileSync(join(folder, pkg), manifest({ exports: './b.js' }));
  writeFileSync(join(folder, 'n.mts'), 'export const n: number = 2;');
  age(folder, [pkg, 'node_modules/pkg/b.js', 'n.mts'], 2000);
  const more = [...names, 'more'];
  expect(await runModule(main)).toEqual([more, 'b', 2]);

  rmSync(join(folder, 'node_modules/pkg/b.js'));
  await expect(runModule(main)).rejects.toThrow(
    expect.objectContaining({ code: Code.StartupFailed }),
  );
});

test('a package that is installed nearer is found by the next worker', async () => {
  const folder = folderWith({
    'node_modules/pkg/package.json': manifest({ main: 'a.js' }),
    'node_modules/pkg/a.js': "exports.from = 'far';",
    'app/main.mjs':
      "import pkg from 'pkg';\nexport const run = () => pkg.from;",
  });
  const main = join(folder, 'app/main.mjs');
  const files = ['node_modules/pkg/package.json', 'node_modules/pkg/a.js'];
  age(folder, files, 1000);
  expect(await runModule(main)).toBe('far');
  cpSync(join(folder, 'node_modules'), join(folder, 'app/node_modules'), {
    recursive: true,
  });
  writeFileSync(join(folder, 'app', files[1]), "exports.from = 'near';");
  age(join(folder, 'app'), files, 1000);
  expect(await runModule(main)).toBe('near');
});

test('a native addon says what it is and what to do', async () => {
  const answer = await runIn(
    {
      'main.cjs': `exports.run = () => {
      const { header } = process.report.getReport();
      try { require('./x.node'); }
      catch (error) { return [error.code, error.message, header.platform, header.glibcVersionRuntime]; }
    };`,
      'x.node': '',
    },
    'main.cjs',
  );
  const { header } = process.report.getReport();
  expect(answer).toEqual([
    'ERR_DLOPEN_FAILED',
    expect.stringMatching(/native addon.*runtime: 'thread'.*host function/),
    header.platform,
    header.glibcVersionRuntime,
  ]);
});

test('what a manifest does not allow has the code of Node', async () => {
  const names = ['p/null', 'p/none', 'p/out', 'p/sub', '#out', '#none', 'none'];
  const answer = await runIn({
    'main.mjs': `import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      export async function run() {
        const codes = [];
        for (const name of ${JSON.stringify(names)}) {
          await import(name).catch((e) => codes.push(e.code));
          try { require(name); } catch (e) { codes.push(e.code); }
        }
        await import('./folder').catch((e) => codes.push(e.code));
        return codes;
      }`,
    'package.json': '{"imports":{"#out":"../x"}}',
    'folder/index.js': '',
    'node_modules/p/package.json': JSON.stringify({
      exports: { './null': null, './out': '../x.js', './sub': './sub.js' },
    }),
  });
  const twice = (code) => [code, code];
  expect(answer).toEqual([
    ...twice('ERR_PACKAGE_PATH_NOT_EXPORTED'),
    ...twice('ERR_PACKAGE_PATH_NOT_EXPORTED'),
    ...twice('ERR_INVALID_PACKAGE_TARGET'),
    'ERR_MODULE_NOT_FOUND',
    'MODULE_NOT_FOUND',
    ...twice('ERR_INVALID_PACKAGE_TARGET'),
    ...twice('ERR_PACKAGE_IMPORT_NOT_DEFINED'),
    'ERR_MODULE_NOT_FOUND',
    'MODULE_NOT_FOUND',
    'ERR_UNSUPPORTED_DIR_IMPORT',
  ]);
});
