'use strict';
// Lines of the files of a wide graph: each entry makes one or a few of them
// for the file `f` of the graph `g`. Names that a line declares come from
// g.fresh(), specifiers from g.name().

const say = (f, what) => `T.say('${f.id} ' + T.attempt(() => ${what}));`;
const tried = (f, x, code) =>
  `try { ${code} } catch (e) { T.say('${f.id} ${x} ' + T.error(e)); }`;

/** Declarations and statements that only an ES module may have. */
const ESM = [
  (g, f) => `export * from '${g.name(f)}';`,
  (g, f) => `export * from '${g.name(f)}'; export * from '${g.name(f)}';`,
  (g, f) => `export * as ${g.fresh()} from '${g.name(f)}';`,
  (g, f) => {
    const x = g.fresh();
    return `import ${x}d, * as ${x} from '${g.name(f)}'; ${say(f, `T.show(${x}) + T.show(${x}d)`)}`;
  },
  (g, f) => {
    const x = g.fresh();
    return `import * as ${x} from '${g.name(f, f)}'; ${say(f, `${x}.late`)} ${say(f, `T.names(${x})`)}`;
  },
  (g, f) => {
    const x = g.fresh();
    return `import { v as ${x} } from '${g.name(f)}'; ${say(f, `(${x} = 1)`)} ${say(f, `typeof ${x}`)}`;
  },
  (g, f) => {
    const x = g.fresh();
    return `import { fun as ${x} } from '${g.name(f, g.esm())}'; ${say(f, `${x}()`)}`;
  },
  (g, f) => {
    const x = g.fresh();
    return `import { Kind as ${x} } from '${g.name(f, g.esm())}'; ${say(f, `new ${x}().name`)}`;
  },
  (g, f) => {
    const x = g.fresh();
    return `import ${x} from '${g.name(f, g.json())}' with { type: 'json' }; ${say(f, `T.show(${x})`)}`;
  },
  (_g, f) => say(f, 'typeof this + typeof require + typeof module'),
  (_g, f) => say(f, 'require'),
  (_g, f) => say(f, 'exports.x'),
  (_g, f) => say(f, '__filename'),
  (g, f) => say(f, `T.last(import.meta.resolve('${g.name(f)}'))`),
  (g, f) =>
    say(
      f,
      `T.last(import.meta.resolve('${g.pick(['./nothing.mjs', 'node:fs', 'fs', 'nope', '#missing', 'p1/missing', '..'])}'))`,
    ),
  (_g, f) => say(f, 'T.last(import.meta.url) + T.last(import.meta.dirname)'),
  (_g, f) => say(f, 'late'),
  (g, f) =>
    `T.requires = T.requireIn(import.meta.url); ${say(f, `T.show(T.requires('${g.name(f)}'))`)}`,
  (g, f) => say(f, `T.show(T.requireIn(import.meta.url)('${g.name(f)}'))`),
  (g, f) =>
    say(f, `T.last(T.requireIn(import.meta.url).resolve('${g.name(f)}'))`),
  () => 'export const __esModule = true;',
  (g) => `export { late as '${g.pick(['module.exports', 'a b', 'then'])}' };`,
  (g) =>
    `export const then = ${g.pick(["(go) => go('thenable')", '7', "(go, no) => no(new T.Mine('then'))"])};`,
];

/** The same, but most do not link. */
const DOUBTFUL = [
  (g, f) => `export { default as ${g.fresh()} } from '${g.name(f)}';`,
  (g, f) =>
    `import '${g.name(f)}' with { ${g.pick(["type: 'json'", "type: 'css'", ''])} };`,
  (g, _f) =>
    `import '${g.pick(['nope', './missing.mjs', './folder', 'p1/missing', '#missing', 'node:path', './f.unknown'])}';`,
];

/** The same, with an `await`. */
const AWAITS = [
  (g, f) =>
    `{ const e = await import('${g.name(f)}').catch((e) => e); const again = await import('${g.name(f)}').catch((e) => e); ${say(f, 'e === again')} }`,
  (g, f) =>
    `{ const e = await import('${g.name(f)}').catch((e) => e); let again; try { again = T.requireIn(import.meta.url)('${g.name(f)}'); } catch (x) { again = x; } ${say(f, "(e === again) + ' ' + T.show(again)")} }`,
  (g, f) =>
    `T.say('${f.id} ' + await import('${g.name(f)}').then(T.show, T.error));`,
  () => 'await 0;',
  () => 'await new Promise((go) => setTimeout(go, 2));',
  (_g, f) =>
    `for await (const x of [1, Promise.resolve(2)]) T.say('${f.id} of ' + x);`,
  (_g, f) =>
    `try { await Promise.reject(new T.Mine('${f.id}')); } catch (e) { ${say(f, 'T.error(e)')} }`,
  (_g, f) => `await Promise.reject(new T.Mine('${f.id} rejects'));`,
];

/** Default exports of an ES module, or none. */
const DEFAULTS = [
  () => '',
  () => '',
  (_g, f) => `export default '${f.id} default';`,
  () => 'export default class {}',
  () => 'export default function () { return 1; }',
  () => 'export default () => 2;',
  () => 'export { late as default };',
  (g, f) => `export { default } from '${g.name(f)}';`,
  (g, f) => `export { v as default } from '${g.name(f)}';`,
  () => 'export default Promise.resolve(5);',
];

/** Lines that only CommonJS may have. */
const CJS = [
  (_g, f) => `exports.v = '${f.id}';`,
  (_g, f) => `exports.v = '${f.id}';`,
  (_g, f) => `exports.w = '${f.id} w'; exports.default = '${f.id} default';`,
  (_g, f) => `module.exports = { v: '${f.id}', w: 1 };`,
  (_g, f) => `module.exports = class C${f.id} {};`,
  () => "module.exports = Promise.resolve('promised');",
  () => 'module.exports = undefined;',
  () => "module.exports = 'text';",
  () => "module.exports = new Proxy({ v: 'proxied' }, {});",
  () => "module.exports = { get v() { throw new T.Mine('getter'); } };",
  () => 'exports.__esModule = true; exports.default = 3;',
  () => "Object.defineProperty(exports, '__esModule', { value: true });",
  () => "exports['module.exports'] = 'named';",
  () => 'exports.then = (go) => go(4);',
  (g, f) => `module.exports = { ...require('${g.name(f)}'), own: 1 };`,
  (g, f) => `module.exports = require('${g.name(f)}');`,
  (g, f) =>
    `const T${f.id} = require('${g.name(f)}'); Object.keys(T${f.id}).forEach(function (key) { if (key === 'default' || key === '__esModule') return; exports[key] = T${f.id}[key]; });`,
  (_g, _f) => `0 && (module.exports = { v, made });`,
  (_g, f) => say(f, 'T.show(exports)'),
  (_g, f) => say(f, 'this === module.exports'),
  (_g, f) =>
    say(
      f,
      'T.show([module.id, module.loaded, module.filename].map((x) => T.last(String(x))))',
    ),
  (_g, f) =>
    say(f, 'module.children.map((m) => T.last(m.id) + m.loaded).join()'),
  (_g, f) => say(f, 'module.parent && T.last(module.parent.id)'),
  (_g, f) => say(f, 'String(require.main === module)'),
  (g, f) => say(f, `T.last(require.resolve('${g.name(f)}'))`),
  (g, f) =>
    say(
      f,
      `require('${g.pick(['./nothing', 'nope', '', './folder', 'p1/missing', '#missing', '.', './f.unknown', 'node:path/posix'])}') && 'there'`,
    ),
  (g, f) => say(f, `T.show(require('${g.name(f)}'))`),
  (g, f) => say(f, `T.show(require('${g.name(f)}'))`),
  (g, f) => say(f, `T.show(require('${g.name(f)}'))`),
  (g, f) => say(f, `T.show(module.require('${g.name(f)}'))`),
  (g, f) => say(f, `T.show(require('${g.name(f, g.json())}'))`),
  (g, f) => say(f, `(require('${g.name(f, g.json())}').v = 'changed')`),
  (g, f) => say(f, `require('${g.name(f)}') === require('${g.name(f)}')`),
  (g, f) =>
    `{ let e, again; try { require('${g.name(f)}'); } catch (x) { e = x; } try { require('${g.name(f)}'); } catch (x) { again = x; } ${say(f, 'e === again')} }`,
  (g, f) =>
    tried(f, 'drop', `delete require.cache[require.resolve('${g.name(f)}')];`),
  (g, f) =>
    tried(
      f,
      'put',
      `require.cache[require.resolve('${g.name(f)}')] = { exports: 'put', loaded: true };`,
    ),
  (g, f) =>
    tried(
      f,
      'put',
      `require.cache[require.resolve('${g.name(f)}')].exports = 'replaced';`,
    ),
  (_g, f) => `if (T.count('${f.id}') > 1) return;`,
  (g, f) =>
    say(
      f,
      `T.show(require('node:module').createRequire(__filename)('${g.name(f)}'))`,
    ),
  (_g, f) => say(f, 'import.meta'),
  (g, f) =>
    `T.later('${f.id} ns', import('${g.name(f)}').then((x) => { try { return [x === require('${g.name(f)}'), x]; } catch (e) { return T.error(e); } }));`,
];

/** Lines that both may have. */
const BOTH = [
  (g, f) => `T.later('${f.id} ${g.fresh()}', import('${g.name(f)}'));`,
  (g, f) => `T.later('${f.id} ${g.fresh()}', import('${g.name(f)}'));`,
  (g, f) =>
    `T.later('${f.id} ${g.fresh()}', import('${g.name(f, g.json())}', { with: { type: 'json' } }));`,
  (g, f) =>
    `T.later('${f.id} ${g.fresh()}', import('${g.name(f)}', ${g.pick(["{ with: { type: 'json' } }", "{ with: { type: 'css' } }", '{ with: { type: 7 } }', '{}', 'undefined', '5', '{ with: 5 }'])}));`,
  (g, f) =>
    `T.later('${f.id} ${g.fresh()}', import(${g.pick(['null', '7', "Symbol('s')", "{ toString() { throw new T.Mine('text'); } }", `{ toString: () => '${g.name(f)}' }`, "''", "'nope'", "'nope:x'", "'http://a.b/c.mjs'", "'./%2f'", "'./folder'", "'./nothing.mjs'", "'./f.unknown'", "'#missing'", "'p1/missing'", "'data:text/javascript,export default 5'", "'data:text/plain,5'", "'data:application/json,5'", "'.'", "'/nothing.mjs'"])}));`,
  (g, f) =>
    `T.later('${f.id} ${g.fresh()}', import('${g.place(f)}?q=${g.random.below(2)}'));`,
  (g, f) =>
    `T.later('${f.id} ${g.fresh()}', Promise.allSettled([import('${g.name(f)}'), import('${g.name(f)}')]).then(([a, b]) => [a.value === b.value, a.reason === b.reason, T.error(a.reason)]));`,
  (g, f) =>
    `T.later('${f.id} ${g.fresh()}', import('${g.name(f)}').then((x) => { T.say(T.names(x)); return T.attempt(() => { x.v = 1; }); }));`,
  (g, f) =>
    `T.later('${f.id} ${g.fresh()}', (0, eval)("import('${g.name(f)}')"));`,
  (g, f) => `T.later('${f.id} ${g.fresh()}', eval("import('${g.name(f)}')"));`,
  (g, f) =>
    `T.later('${f.id} ${g.fresh()}', new Function('x', "return import('${g.name(f)}')")());`,
  (g, f) =>
    `T.later('${f.id} ${g.fresh()}', new Promise((go) => setTimeout(go, 3)).then(() => import('${g.name(f)}')));`,
  (_g, f) => `queueMicrotask(() => T.say('${f.id} queued'));`,
  (_g, f) =>
    `Promise.resolve().then(() => T.say('${f.id} one')).then(() => T.say('${f.id} two'));`,
  (_g, f) => say(f, 'later'),
  (_g, f) => say(f, 'later2()'),
];

/** Ends of a file. */
const ENDS = [
  (_g, f) => `throw new T.Mine('${f.id}');`,
  (_g, f) => `throw new T.Mine('${f.id}');`,
  () => "throw 'text';",
  () => 'throw undefined;',
  () => 'throw null;',
  () => "throw Object.freeze(new T.Mine('frozen'));",
  () => 'null.x;',
  () => 'unknownName;',
  () => "throw Object.assign(new T.Mine('coded'), { code: 'E_MINE' });",
  () => 'const const = 1;',
  () => "if (true) { throw new T.Mine('early'); }",
];

/** JSON files. */
const JSONS = [
  (_g, f) => `{"v":"json ${f.id}"}`,
  (_g, f) => `{"v":"json ${f.id}"}`,
  () => '[1,2]',
  () => 'null',
  () => '7',
  () => '{"default":1,"__esModule":true,"then":2}',
  () => '{"v":',
  () => '',
  () => '\uFEFF{"v":"mark"}',
];

module.exports = { ESM, DOUBTFUL, AWAITS, DEFAULTS, CJS, BOTH, ENDS, JSONS };
