'use strict';
// Where names lead: import(), require(), require.resolve() and
// import.meta.resolve() as in the Node that runs this.

const { logOf, removeFolders } = require('./support.js');

afterEach(removeFolders);

const HEAD = `
  import { createRequire } from 'node:module';
  const require = createRequire(import.meta.url);
  const here = new URL('.', import.meta.url).href;
  const tail = (x) => String(x).replace(here, '').replace(here.slice(7), '');
  const log = [];
  const attempt = async (what, get) => {
    try { log.push(what + ' ' + tail(await get())); } catch (e) {
      log.push(what + ' fails ' + (e.code ?? e.name));
    }
  };
`;
const withNames = (names, ways) => `${HEAD}
  export async function f() {
    for (const name of ${JSON.stringify(names)}) { ${ways} }
    return log;
  }`;
const IMPORTED = `await attempt(name, async () =>
  (await import(name)).default?.name ?? 'a module');`;
const RESOLVED =
  "await attempt('meta ' + name, () => import.meta.resolve(name));";
const REQUIRED =
  "await attempt('require ' + name, () => require.resolve(name));";
const FILES = {
  'package.json': JSON.stringify({
    name: 'self',
    exports: { '.': './main.mjs', './dir/*': './dir/*' },
    imports: {
      '#a': './a.mjs',
      '#dir/*': './dir/*.mjs',
      '#package': 'p',
      '#null': null,
      '#outside': '../x.js',
    },
  }),
  'a.mjs': 'export default class A {}',
  'b.cjs': 'exports.name = "b";',
  'dir/z.mjs': 'export default class Z {}',
  'node_modules/p/package.json': JSON.stringify({
    exports: {
      '.': './p.js',
      './x/*': './x/*.js',
      './x/secret/*': null,
      './missing': './missing.js',
      './outside': '../out.js',
      './list': ['./missing.js', './p.js'],
    },
  }),
  'node_modules/p/p.js': 'exports.name = "p";',
  'node_modules/p/x/a.js': 'exports.name = "x";',
  'node_modules/@s/p/index.js': 'exports.name = "scoped";',
  'node_modules/broken/package.json': '{',
  'node_modules/mixed/package.json':
    '{"exports":{"./a":"./a.js","import":"./a"}}',
};
const NAMES = [
  ...['.', '..', './', './dir', './dir/', './a.mjs', './none.mjs', './b.cjs'],
  ...[
    './a.mjs?q#h',
    './b.cjs?q',
    './%61.mjs',
    './a%5cb',
    './%2f',
    './dir/../a.mjs',
  ],
  ...['p', 'p/x/a', 'p/x/none', 'p/x/secret/a', 'p/missing', 'p/outside'],
  ...['p/list', 'p/none', 'p/package.json', 'P', 'p%2fx', 'p\\x', 'none'],
  ...['none/x', '@s', '@s/', '@s/p', '@s/none', 'mixed', 'mixed/a', '%', '.x'],
  ...['#a', '#dir/z', '#dir/none', '#package', '#null', '#outside', '#none'],
  ...['#', '#dir/', 'self', 'self/dir/z.mjs', 'self/dir/none.mjs', 'self/none'],
  ...['node:fs', 'fs', 'node:none', 'node:', 'node:fs/', 'http://a/b', 'x:y'],
  ...['blob:x', 'file:///none/x', 'file:///a%2fb', 'data:text/javascript,1'],
];

test('names lead where they do in Node', async () => {
  await logOf({
    ...FILES,
    'main.mjs': withNames(NAMES, IMPORTED + RESOLVED + REQUIRED),
  });
});

test('the text of a package.json that is none', async () => {
  await logOf({
    ...FILES,
    'main.mjs': withNames(['broken', 'broken/x'], IMPORTED + RESOLVED),
  });
});

test('data: URLs', async () => {
  const urls = [
    'text/javascript,export default class A {}',
    'text/javascript,export%20default%20class%20B%20{}',
    'text/javascript;charset=utf-8,export default class C {}',
    'text/javascript;base64,ZXhwb3J0IGRlZmF1bHQgY2xhc3MgRCB7fQ==',
    'text/javascript;base64,ZXhwb3J0IGRlZmF1bHQgY2xhc3MgRCB7fQ',
    'text/javascript;x=y;base64,ZXhwb3J0IGRlZmF1bHQgY2xhc3MgRCB7fQ==',
    'application/javascript,export default class E {}',
    'TEXT/JavaScript,export default class F {}',
    'text/javascript,export default class G {}#hash',
    'text/javascript,export default class H {}?query',
    'text/javascript,export default class \u00c9 {}',
    'text/javascript,export default { name: "%C3%A9" }',
    'text/javascript,export default { name: import.meta.url }',
    'text/javascript,import "./a.mjs"',
    'text/javascript,import "p"',
    'text/javascript,import "fs"; export default class I {}',
    'text/javascript,export default { name: import.meta.resolve("./x") }',
    'text/javascript,syntax error',
    'text/javascript,throw 7',
    'text/plain,5',
    'text/javascript',
    '',
  ];
  const names = urls.map((url) => `data:${url}`);
  names.push('DATA:text/javascript,export default class J {}');
  names.push(' data:text/javascript,export default class K {}');
  await logOf({ ...FILES, 'main.mjs': withNames(names, IMPORTED) });
});

test('require.resolve() from other folders, and its arguments', async () => {
  await logOf({
    ...FILES,
    'main.mjs': `${HEAD}
      const paths = [new URL('dir', import.meta.url).pathname];
      export async function f() {
        await attempt('paths', () => require.resolve('./z.mjs', { paths }));
        await attempt('none', () => require.resolve('./a.mjs', { paths }));
        await attempt('bad', () => require.resolve('./a.mjs', { paths: 5 }));
        await attempt('relative', () => require.resolve.paths('./x').length);
        await attempt('built-in', () => require.resolve.paths('fs'));
        for (const x of [undefined, null, 5, {}, '']) {
          await attempt('require ' + x, () => require(x));
          await attempt('resolve ' + x, () => require.resolve(x));
        }
        log.push(Object.keys(require).join(), require.name, require.length);
        try { require('./none'); } catch (e) {
          log.push(e.requireStack.map(tail));
        }
        return log;
      }`,
  });
});

test('the members of import.meta', async () => {
  await logOf({
    'main.mjs': `export const f = () =>
      [Object.keys(import.meta).filter((name) => name !== 'main'), Object.getPrototypeOf(import.meta),
        import.meta.resolve.name];`,
  });
});

test('what an ES module says that looks for CommonJS', async () => {
  const log = await logOf({
    'a.mjs': 'require;',
    'b.mjs': 'exports.x = 1;',
    'c.mjs': 'await null; __dirname;',
    'd.mjs': "import './c.mjs'; module;",
    'e.mjs': 'export {}; throw new ReferenceError("require is not defined.");',
    'main.mjs': `export async function f() {
      const log = {};
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        await import('./' + name + '.mjs').catch((e) => {
          log[name] = [e.name, e.code ?? e.message];
        });
      }
      return log;
    }`,
  });
  expect(log.a).toEqual([
    'ReferenceError',
    'require is not defined in ES module scope, you can use import instead',
  ]);
});

test('import attributes with types that nothing has', async () => {
  await logOf({
    'a.json': '1',
    'b.mjs': '',
    'main.mjs': `export async function f() {
      const log = [];
      for (const name of ['a.json', 'b.mjs', 'none.json']) {
        for (const type of ['css', 'json', 'text', 'wasm', '']) {
          await import('./' + name, { with: { type } }).then(
            () => log.push('a module'), (e) => log.push(e.code));
        }
      }
      return log;
    }`,
  });
});
