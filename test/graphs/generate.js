'use strict';
// Random graphs of modules, the same ones for a seed. Each file writes down
// when it runs and what it sees, so that two loaders can be compared.
const { Random } = require('../chaos/random.js');

// The first file that runs makes it. One line, so that every file has it.
const PRELUDE = `globalThis.T ??= (() => {
  const log = [];
  const say = (what) => { log.push(what); };
  const error = (e) => {
    if (e === null || typeof e !== 'object') return String(e);
    if (e.name === 'Mine') return 'Mine:' + e.message;
    if (e.code === undefined && e.name === 'TypeError' && /^[^\\n]*\\n\\s+at [^\\n]*node:internal/.test(e.stack)) return 'FaultOfNode';
    return e.code ?? e.name;
  };
  const attempt = (get) => { try { return get(); } catch (e) { return error(e); } };
  const show = (x, depth = 0) => {
    if (x === null || (typeof x !== 'object' && typeof x !== 'function')) return typeof x + ' ' + String(x);
    const kind = typeof x === 'function' ? 'function' : Object.prototype.toString.call(x);
    if (depth > 1) return kind;
    return kind + '{' + Object.keys(x).map((k) => k + '=' + attempt(() => (typeof x[k] === 'function' ? 'fn ' + x[k].name : show(x[k], depth + 1)))).join() + '}';
  };
  class Mine extends Error { name = 'Mine'; }
  const pending = [];
  const later = (name, promise) => {
    pending.push(promise.then((x) => say(name + ' got ' + attempt(() => show(x))), (e) => say(name + ' failed ' + error(e))));
  };
  const end = async () => {
    for (let i = 0; i < pending.length; ++i) await pending[i];
    const known = log.length;
    await new Promise((go) => setTimeout(go, 20));
    return log.length > known ? end() : log;
  };
  return { say, error, attempt, show, Mine, later, end };
})();`.replace(/\n\s*/g, ' ');

/** The kinds of a file: extension, folder, and how others name it. */
const KINDS = [
  { weight: 5, language: 'esm', name: (i) => `f${i}.mjs` },
  { weight: 4, language: 'cjs', name: (i) => `f${i}.cjs` },
  { weight: 1, language: 'cjs', name: (i) => `f${i}.js` },
  { weight: 1, language: 'esm', name: (i) => `f${i}.js` },
  { weight: 1, language: 'esm', name: (i) => `module/f${i}.js` },
  { weight: 1, language: 'cjs', name: (i) => `commonjs/f${i}.js` },
  { weight: 1, language: 'cjs', name: (i) => `plain${i}` },
  { weight: 1, language: 'esm', name: (i) => `module/plain${i}` },
  { weight: 1, language: 'json', name: (i) => `f${i}.json` },
  { weight: 1, language: 'esm', name: (i) => `node_modules/p${i}/index.mjs` },
  { weight: 1, language: 'cjs', name: (i) => `node_modules/p${i}/index.cjs` },
  { weight: 1, language: 'both', name: (i) => `node_modules/p${i}/index.mjs` },
];

class Graph {
  constructor(seed, most) {
    this.random = new Random(seed);
    this.files = { 'package.json': '{"imports":{"#self":"./f0.mjs"}}' };
    this.files['module/package.json'] = '{"type":"module"}';
    this.files['commonjs/package.json'] = '{"type":"commonjs"}';
    this.next = 0;
    const count = 3 + this.random.below(most - 2);
    this.list = [];
    for (let i = 0; i < count; ++i) this.list.push(this.kind(i));
    for (const file of this.list) this.write(file);
  }

  chance(one) {
    return this.random.below(100) < one;
  }

  pick(list) {
    return list[this.random.below(list.length)];
  }

  kind(i) {
    const kinds = i === 0 ? KINDS.slice(0, 2) : KINDS;
    let at = this.random.below(kinds.reduce((sum, k) => sum + k.weight, 0));
    const kind = kinds.find((k) => {
      at -= k.weight;
      return at < 0;
    });
    return { id: `f${i}`, i, path: kind.name(i), language: kind.language };
  }

  write(file) {
    const { path, language, i } = file;
    if (language === 'json') {
      this.files[path] = this.chance(10) ? '{"v":' : `{"v":"json ${i}"}`;
      return;
    }
    if (path.startsWith('node_modules')) {
      const other = language === 'both' ? 'both.cjs' : path.split('/').pop();
      this.files[`node_modules/p${i}/package.json`] = JSON.stringify({
        exports: {
          '.': { import: `./${path.split('/').pop()}`, require: `./${other}` },
          './inside': `./${path.split('/').pop()}`,
        },
      });
      if (language === 'both') {
        this.files[`node_modules/p${i}/both.cjs`] = this.cjs({
          ...file,
          id: `${file.id}cjs`,
        });
      }
    }
    this.files[path] = language === 'cjs' ? this.cjs(file) : this.esm(file);
  }

  /** Another file, or sometimes the same, or one that is not there. */
  target() {
    return this.chance(3) ? undefined : this.pick(this.list);
  }

  nameOf(from, file) {
    if (file === undefined) return './missing.mjs';
    const { path, i } = file;
    if (path.startsWith('node_modules')) {
      return this.chance(20) ? `p${i}/inside` : `p${i}`;
    }
    const up = '../'.repeat(from.path.split('/').length - 1);
    if (file.i === 0 && path === 'f0.mjs' && up === '' && this.chance(20)) {
      return '#self';
    }
    return `${up || './'}${path}`;
  }

  attributes(file) {
    const json = file?.language === 'json';
    return this.chance(4) ? !json : json;
  }

  fresh() {
    this.next += 1;
    return `x${this.next}`;
  }

  staticImport(file) {
    const target = this.target();
    const from = `'${this.nameOf(file, target)}'${
      this.attributes(target) ? " with { type: 'json' }" : ''
    }`;
    const x = this.fresh();
    const see = `T.say('${file.id} ${x} ' + T.attempt(() => T.show(${x})));`;
    const name = this.chance(90) ? 'v' : this.pick(['w', 'missing']);
    const json = target?.language === 'json';
    const forms = json
      ? [[`import ${x} from ${from};`, see]]
      : [
          [`import * as ${x} from ${from};`, see],
          [`import ${from};`, ''],
          [`export * from ${from};`, ''],
          [`export * as ${x} from ${from};`, ''],
          [`import { ${name} as ${x} } from ${from};`, see],
          [`export { ${name} as ${x} } from ${from};`, ''],
        ];
    if (target?.language === 'cjs' || this.chance(20)) {
      forms.push([`import ${x} from ${from};`, see]);
    }
    if (target?.language === 'esm') {
      forms.push([
        `import { set as ${x} } from ${from};`,
        `T.attempt(() => ${x}('by ${file.id}'));`,
      ]);
    }
    return this.pick(forms);
  }

  importExpression(file) {
    const target = this.target();
    const json = this.attributes(target);
    const options = json ? ", { with: { type: 'json' } }" : '';
    return `import('${this.nameOf(file, target)}'${options})`;
  }

  /** A statement of both languages; `wait` is '' where there is no await. */
  statement(file, canAwait) {
    const { id } = file;
    const x = this.fresh();
    const tag = `'${id} ${x} '`;
    const got = `(x) => T.say(${tag} + T.show(x)), (e) => T.say(${tag} + T.error(e))`;
    const simple = [
      `T.later('${id} ${x}', ${this.importExpression(file)});`,
      `T.later('${id} ${x}', ${this.importExpression(file)});`,
      `T.later('${id} ${x}', Promise.all([${this.importExpression(file)}, ${this.importExpression(file)}]));`,
      `T.later('${id} ${x}', Promise.resolve().then(() => T.say('${id} micro')));`,
      `T.later('${id} ${x}', (async () => { const one = await ${this.importExpression(file)}; return [one, await ${this.importExpression(file)}]; })());`,
    ];
    const slow = canAwait
      ? [
          `await ${this.importExpression(file)}.then(${got});`,
          `await ${this.importExpression(file)}.then(${got});`,
          'await null;',
          'await null; await null; await null;',
          `await Promise.all([${this.importExpression(file)}, ${this.importExpression(file)}]).then(${got});`,
          'await new Promise((go) => setTimeout(go, 1));',
        ]
      : [];
    return this.pick([...simple, ...slow]);
  }

  requires(file) {
    const x = this.fresh();
    const name = this.nameOf(file, this.target());
    const once = `try { const ${x} = require('${name}'); T.say('${file.id} ${x} ' + T.attempt(() => T.show(${x}))); } catch (e) { T.say('${file.id} ${x} ' + T.error(e)); }`;
    if (this.chance(15)) {
      return `${once} ${once.replaceAll(x, this.fresh())}`;
    }
    return once;
  }

  failure(file) {
    return this.chance(9) ? [`throw new T.Mine('${file.id}');`] : [];
  }

  esm(file) {
    const { id } = file;
    const head = [];
    const body = [];
    const uses = [];
    const imports = this.random.below(4) + (file.i === 0 ? 1 : 0);
    for (let k = 0; k < imports; ++k) {
      const [line, use] = this.staticImport(file);
      head.push(line);
      if (use) uses.push(use);
    }
    const requires = this.chance(35);
    if (requires) {
      head.push("import { createRequire } from 'node:module';");
      head.push('const require = createRequire(import.meta.url);');
    }
    const canAwait = this.chance(35);
    body.push(...uses);
    for (let k = this.random.below(3); k > 0; --k) {
      body.push(this.statement(file, canAwait));
    }
    if (requires) body.push(this.requires(file));
    if (this.chance(30)) body.push(`v = '${id} changed';`);
    if (this.chance(15)) {
      body.push(
        `T.say('${id} ' + import.meta.url.split('/').pop() + (import.meta.dirname === undefined) + import.meta.filename.split('/').pop());`,
      );
    }
    body.push(...this.failure(file));
    const tail = [
      `export let v = '${id}'; export function set(x) { v = x; }`,
      this.pick([
        '',
        `export default '${id} default';`,
        `export default function d${id}() { return 1; }`,
        'export { v as default };',
        `const d = { of: '${id}' }; export { d as default };`,
      ]),
    ];
    if (this.chance(8)) tail.push('export const __esModule = true;');
    if (this.chance(8)) tail.push("export { v as 'module.exports' };");
    if (this.chance(2)) body.push('let let = ;');
    const entry =
      file.i === 0 ? 'export const f = () => globalThis.T.end();' : '';
    return [
      ...head,
      PRELUDE,
      tail.shift(),
      `T.say('${id} begins');`,
      ...this.shuffled(body),
      ...tail,
      entry,
      `T.say('${id} ends');`,
      '',
    ].join('\n');
  }

  cjs(file) {
    const { id } = file;
    const body = [];
    for (let k = this.random.below(4); k > 0; --k) {
      body.push(this.requires(file));
    }
    if (this.chance(40)) body.push(this.statement(file, false));
    const exported = [
      `exports.v = '${id}';`,
      `module.exports = { v: '${id}', w: 1 };`,
      `exports.w = '${id} w';`,
      `module.exports = function c${id}() {}; module.exports.v = '${id}';`,
      `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = '${id} default';`,
      "exports.__esModule = true; exports.v = 'compiled';",
      `module.exports = require('${this.nameOf(file, this.pick(this.list))}');`,
      `Object.defineProperty(exports, 'g', { enumerable: true, get: function () { return T.say; } });`,
      'module.exports = null;',
      'module.exports = 7;',
    ];
    const count = this.random.below(3) + (this.chance(80) ? 1 : 0);
    for (let k = 0; k < count; ++k) {
      body.push(this.pick(this.chance(60) ? exported.slice(0, 3) : exported));
    }
    if (this.chance(10)) {
      const name = this.nameOf(file, this.pick(this.list));
      body.push(
        `try { delete require.cache[require.resolve('${name}')]; } catch (e) { T.say('${id} ' + T.error(e)); }`,
      );
    }
    body.push(...this.failure(file));
    if (this.chance(2)) body.push('let let = ;');
    const entry =
      file.i === 0
        ? 'if (module.exports) module.exports.f = () => globalThis.T.end();'
        : '';
    return [
      PRELUDE,
      `T.say('${id} begins');`,
      ...this.shuffled(body),
      entry,
      `T.say('${id} ends');`,
      '',
    ].join('\n');
  }

  shuffled(list) {
    const left = [...list];
    const mixed = [];
    while (left.length > 0) {
      mixed.push(...left.splice(this.random.below(left.length), 1));
    }
    return mixed;
  }
}

/**
 * @param {number} seed
 * @param {{ files?: number }} options at most that many files
 * @returns {{ files: Record<string, string>, entry: string }}
 */
function generateGraph(seed, { files: most = 8 } = {}) {
  const { files, list } = new Graph(seed, most);
  return { files, entry: list[0].path };
}

module.exports = { generateGraph };
