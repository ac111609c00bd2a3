'use strict';
// What node:module, require() and import() answer, asked in an isolate and of
// Node itself: values, names, own properties, and the codes of errors.

const { logOf, removeFolders } = require('./support.js');

afterEach(removeFolders);

const [major] = process.versions.node.split('.').map(Number);

const FILES = {
  'package.json': JSON.stringify({
    name: 'root',
    exports: { '.': './plain.cjs', './inside': './esm.mjs' },
    imports: {
      '#self': './plain.cjs',
      '#sub/*': './sub/*.cjs',
      '#pkg': 'p',
      '#builtin': { node: 'path', default: './plain.cjs' },
      '#null': null,
    },
  }),
  'plain.cjs': 'exports.v = 1;',
  'one.cjs': '',
  'two.cjs': '',
  'three.cjs': '',
  'four.cjs': '',
  'esm.mjs': 'export const v = 1;',
  'folder/index.js': '',
  'sub/a.cjs': 'exports.v = 2;',
  'sub/x.cjs': 'exports.v = 3;',
  'named.mjs': `import test, { describe, it, mock, before } from 'node:test';
    import { Module, SourceMap, _load, _extensions, isBuiltin } from 'node:module';
    export const v = [test, describe, it, mock, before, Module, SourceMap, _load,
      _extensions, isBuiltin].map((x) => typeof x).join();`,
  'wrap.mjs': `import { wrap } from 'node:module'; export const v = 1;`,
  'node_modules/p/package.json': JSON.stringify({
    name: 'p',
    exports: {
      '.': './index.js',
      './inside': ['./index.js'],
      './closed': null,
      './sub/*': './sub/*.js',
      './sub/long/*': './index.js',
      './bad': './node_modules/x.js',
    },
  }),
  'node_modules/p/index.js': 'exports.v = 4;',
  'node_modules/p/sub/a.js': 'exports.v = 5;',
  'node_modules/@s/q/package.json': '{"main":"./main.js"}',
  'node_modules/@s/q/main.js': 'exports.v = 6;',
  'node_modules/q/package.json': '{}',
  'node_modules/q/index.js': 'exports.v = 7;',
};

const HELP = `
  const show = (x) => {
    if (typeof x === 'function') return 'function ' + x.name;
    if (Array.isArray(x)) return '[' + x.map(show) + ']';
    if (Object.prototype.toString.call(x) === '[object Module]') return 'module ' + x.v;
    return typeof x === 'object' && x !== null ? 'object ' + Object.keys(x) : String(x);
  };
  const fault = (e) => ['throws', e.name, e.code, Object.keys(e).filter((k) => k !== 'requireStack')].join(' ');
  const here = (text) => text.replaceAll(__dirname, '.');
  const M = require('node:module');
  const url = require('node:url').pathToFileURL(__filename);
  const asked = async (get) => { try { return here(show(await get())); } catch (e) { return here(fault(e)); } };
  const calls = (owner, name, file) => {
    const old = owner[name];
    const seen = [];
    owner[name] = function (...given) { seen.push(given.map((x) => typeof x)[0]); return old.apply(this, given); };
    try { require(file); } finally { owner[name] = old; }
    return seen.length > 0;
  };`;

async function compare(questions) {
  const list = questions
    .trim()
    .split('\n')
    .map((text) => text.trim());
  const log = await logOf({
    ...FILES,
    'ask.cjs':
      `${HELP} exports.f = async () => { const log = []; ` +
      list.map((text) => `log.push(await asked(() => ${text}));`).join('\n') +
      ' return log; };',
    'main.mjs': `import ask from './ask.cjs'; export const f = ask.f;`,
  });
  expect(log.length).toBe(list.length);
  return log;
}

test('modules are of the class Module', async () => {
  await compare(`
    module instanceof M
    module.constructor === M
    require.cache[__filename] instanceof M
    require.cache[__filename] === module
    Object.getOwnPropertyNames(module)
    Object.getOwnPropertyNames(Object.getPrototypeOf(module)).sort()
    Object.keys(M.prototype).sort()
    [module.load.length, module.require.length, module.isPreloading, module.parent]
    (require('./plain.cjs'), module.children.every((m) => m instanceof M))
    require.cache[require.resolve('./plain.cjs')].parent === module
    [M.name, M.length, M === M.Module, M === require('module')]
    [require.name, require.resolve.name, require.resolve.paths.name]
  `);
});

test('a module that a program makes', async () => {
  await compare(`
    Object.keys(new M('x'))
    [new M('/a/x').path, new M().id, new M('x').paths, new M('x').filename, new M('x').parent]
    [new M('x', module).parent === module, module.children.some((m) => m.id === 'x')]
    (() => { const m = new M(__dirname + '/plain.cjs'); m.load(m.id); return [m.loaded, m.exports.v, m.filename]; })()
    (() => { const m = new M('/x.js'); m._compile('module.exports = [__filename, __dirname, this === exports]', '/x.js'); return m.exports; })()
    new M('/x.js')._compile('return 5', '/x.js')
    new M('a').require('path') === require('path')
    new M('a').require('')
    new M('a').require(1)
    M('a')
    (() => { class X extends M {} const x = new X('a'); return [x.id, x.parent, x instanceof M]; })()
    (() => { function X(id) { M.call(this, id); } X.prototype = Object.create(M.prototype); return new X('b').id; })()
  `);
});

test('what a program replaces of it is what require() asks', async () => {
  const log = await compare(`
    calls(M, '_load', './one.cjs')
    calls(M, '_resolveFilename', './two.cjs')
    calls(M.prototype, 'require', './three.cjs')
    calls(M.prototype, '_compile', './four.cjs')
    (() => { const old = M._resolveFilename; M._resolveFilename = (name, ...more) => old(name.replace('alias', './sub/a.cjs'), ...more); try { return [require('alias').v, require.resolve('alias')]; } finally { M._resolveFilename = old; } })()
    (() => { const old = M._load; M._load = (name, ...more) => name === 'mocked' ? 7 : old(name, ...more); try { return require('mocked'); } finally { M._load = old; } })()
  `);
  expect(log.slice(0, 4)).toEqual(Array(4).fill('true'));
});

test('functions that other packages call', async () => {
  await compare(`
    M._resolveFilename('path')
    M._resolveFilename('./plain.cjs', module)
    M._resolveFilename(__filename)
    M._resolveFilename('nope')
    M._resolveLookupPaths('./x', module)
    M._resolveLookupPaths('path', module)
    M._findPath('./plain.cjs', [__dirname])
    M._findPath(__filename)
    M._findPath('nothing', [__dirname])
    M._load('./plain.cjs', module).v
    M._load(__dirname + '/plain.cjs').v
    M._load('path') === require('path')
    M._load('./nothing', module)
    M._nodeModulePaths('/a/b/node_modules/c')
    [M._cache === require.cache, M._extensions === require.extensions]
    [M._initPaths(), M._preloadModules(), typeof M._pathCache]
    require.resolve('./plain.cjs', { paths: [1] })
    M.createRequire('file://host/x')
    M.createRequire(url).resolve('./plain.cjs')
    import('./wrap.mjs')
    import('./named.mjs')
    M.builtinModules.filter((name) => !name.startsWith('_'))
  `);
});

test('codes of names that lead nowhere', async () => {
  const names = [
    ...['p/', 'p/sub/', 'p/sub/../x', 'p/sub/..', 'p/sub/%2e'],
    ...['p/sub/%2e%2e/x', 'p/sub/node_modules/x', 'p/bad', 'p/closed', 'p/x'],
    ...['p/sub/long/x', 'p', 'p/sub/a', 'p/inside', '@s/q'],
    ...['#sub/../x', '#sub/', '#sub', '#', '#/', '#/x', '#nothing', '#null'],
    ...['#sub/a', '#pkg', '#self', '#builtin', 'root', 'root/', 'root/x'],
    ...['root/inside', 'nope', 'nope/', '@s', '@', './nothing.mjs'],
  ];
  const places = [
    ...['./nothing.mjs?x#y', './folder', './folder/', '.', './plain.cjs%00'],
    ...['file://host/x.mjs', 'file:///nowhere/x.mjs', 'data:,x'],
    ...['data:text/javascript,import "p"', 'http://localhost/x'],
  ];
  await compare(
    [
      ...names.map((name) => `require.resolve('${name}')`),
      ...[...names, ...places].map(
        (name) =>
          `import('${name}').catch((e) => { delete e.cause; delete e.input; delete e.module; throw e; })`,
      ),
    ].join('\n'),
  );
});

// Since Node 22.
(major < 22 ? test.skip : test)('findPackageJSON', async () => {
  await compare(`
    M.findPackageJSON('p', __filename)
    M.findPackageJSON('p', url)
    M.findPackageJSON('p', url.href)
    M.findPackageJSON('p/inside', __filename)
    M.findPackageJSON('p/closed', __filename)
    M.findPackageJSON('@s/q/x', __filename)
    M.findPackageJSON('root', __filename)
    M.findPackageJSON('nope', __filename)
    M.findPackageJSON('.', __filename)
    M.findPackageJSON('./sub/x.cjs', __filename)
    M.findPackageJSON('./nothing', __filename)
    M.findPackageJSON(url)
    M.findPackageJSON(url.href)
    M.findPackageJSON('node:fs', __filename)
    M.findPackageJSON()
    M.findPackageJSON('', __filename)
    M.findPackageJSON('p', 1)
    M.findPackageJSON('p')
    M.findPackageJSON.length
  `);
});

(major < 22 ? test.skip : test)('stripTypeScriptTypes', async () => {
  await compare(`
    M.stripTypeScriptTypes('const a: number = 1;')
    M.stripTypeScriptTypes('const a: number = 1;', { mode: 'strip', sourceUrl: 'a.ts' })
    M.stripTypeScriptTypes('const a: number = 1;', { mode: 'transform' })
    M.stripTypeScriptTypes('enum A { B }')
    M.stripTypeScriptTypes('enum A { B }', { mode: 'transform', sourceMap: true }).replace(/base64,.*/, '')
    M.stripTypeScriptTypes('const a: ')
    M.stripTypeScriptTypes('a', { mode: 'nope' })
    M.stripTypeScriptTypes('a', { sourceMap: true })
    M.stripTypeScriptTypes('a', { sourceUrl: 1 })
    M.stripTypeScriptTypes('a', 1)
    M.stripTypeScriptTypes(1)
    M.stripTypeScriptTypes()
    M.setSourceMapsSupport(false)
    M.setSourceMapsSupport(1)
  `);
});
