'use strict';
// Graphs of more kinds of statements and files than generate.js has: built-ins
// and names that lead nowhere, attributes, thenables, identity, require.cache,
// module objects, packages, errors with the messages that are V8's own. Those of
// SyntaxErrors are not compared, because isolates say more than Node.
const { Random } = require('../chaos/random.js');
const {
  AWAITS,
  BOTH,
  CJS,
  DEFAULTS,
  DOUBTFUL,
  ENDS,
  ESM,
  JSONS,
} = require('./wide-snippets.js');

// The first file that runs makes it. Files that run each other without an end
// end by a RangeError, and are not compared. One line, so that every file has it.
const PRELUDE = `globalThis.T ??= (() => {
  const log = [];
  const say = (what) => { if (log.length > 2000) throw new RangeError('too long'); log.push(what); };
  const ours = /^(ERR_|MODULE_NOT_FOUND)/;
  const error = (e) => {
    if (e === null || typeof e !== 'object') return typeof e + ' ' + String(e);
    if (e.name === 'Mine') return 'Mine:' + e.message;
    if (e.code === undefined && e.name === 'TypeError' && /^[^\\n]*\\n\\s+at [^\\n]*node:internal/.test(e.stack)) return 'FaultOfNode';
    return e.name + ' ' + (e.code ?? '') + (ours.test(e.code) || e.name === 'SyntaxError' ? '' : ' ' + e.message.replaceAll(/(file:..)?\\/[^ ':]*\\//g, '')) + (e instanceof Error);
  };
  const attempt = (get) => { try { return get(); } catch (e) { return error(e); } };
  const show = (x, depth = 0) => {
    if (x === null || (typeof x !== 'object' && typeof x !== 'function')) return typeof x + ' ' + String(x);
    const kind = typeof x === 'function' ? 'function ' + x.name : Object.prototype.toString.call(x);
    if (depth > 1) return kind;
    return kind + '{' + Object.keys(x).map((k) => k + '=' + attempt(() => (show(x[k], depth + 1)))).join() + '}';
  };
  class Mine extends Error { name = 'Mine'; }
  const pending = [];
  const later = (name, promise) => {
    pending.push(Promise.resolve(promise).then((x) => say(name + ' got ' + attempt(() => show(x))), (e) => say(name + ' failed ' + error(e))));
  };
  const end = async () => {
    for (let i = 0; i < pending.length; ++i) await pending[i];
    const known = log.length;
    await new Promise((go) => setTimeout(go, 20));
    return log.length > known ? end() : log;
  };
  const counts = {};
  return { say, error, attempt, show, Mine, later, end,
    last: (text) => String(text).split('/').slice(-1)[0],
    names: (x) => Reflect.ownKeys(x).map(String).join() + Object.isSealed(x),
    count: (id) => (counts[id] = (counts[id] ?? 0) + 1),
    requireIn: (url) => process.getBuiltinModule('module').createRequire(url) };
})();`.replace(/\n\s*/g, ' ');

const KINDS = [
  { weight: 6, language: 'esm', name: (i) => `f${i}.mjs` },
  { weight: 5, language: 'cjs', name: (i) => `f${i}.cjs` },
  { weight: 1, language: 'cjs', name: (i) => `f${i}.js` },
  { weight: 1, language: 'esm', name: (i) => `f${i}.js` },
  { weight: 1, language: 'esm', name: (i) => `module/f${i}.js` },
  { weight: 1, language: 'cjs', name: (i) => `module/f${i}.cjs` },
  { weight: 1, language: 'cjs', name: (i) => `commonjs/f${i}.js` },
  { weight: 1, language: 'esm', name: (i) => `commonjs/f${i}.mjs` },
  { weight: 2, language: 'json', name: (i) => `f${i}.json` },
  { weight: 1, language: 'esm', name: (i) => `node_modules/p${i}/index.mjs` },
  { weight: 1, language: 'cjs', name: (i) => `node_modules/p${i}/main.js` },
  { weight: 1, language: 'both', name: (i) => `node_modules/p${i}/index.mjs` },
];

class WideGraph {
  constructor(seed, most) {
    this.random = new Random(seed);
    this.next = 0;
    this.files = {
      'package.json':
        '{"name":"root","imports":{"#self":"./f0.mjs","#p":{"import":"./f1.mjs","default":"./f1.cjs"}}}',
      'module/package.json': '{"type":"module"}',
      'commonjs/package.json': '{"type":"commonjs"}',
      'folder/index.js': 'module.exports = 7;',
      'f.unknown': 'text',
      'node_modules/p1/package.json': '{}',
    };
    const count = 3 + this.random.below(most - 2);
    this.list = Array.from({ length: count }, (_, i) => this.kind(i));
    for (const file of this.list) this.write(file);
    this.files['main.mjs'] = this.main();
  }

  /** The entry, which has nothing odd, so that most graphs give a value. */
  main() {
    const here = { id: 'main', path: 'main.mjs' };
    const lines = [PRELUDE];
    if (this.chance(30)) lines.push(`import '${this.name(here)}';`);
    for (let k = 1 + this.random.below(3); k > 0; --k) {
      lines.push(`T.later('main ${k}', import('${this.name(here)}'));`);
      if (this.chance(20)) lines.push('await null;');
    }
    lines.push('export const f = () => T.end();', '');
    return lines.join('\n');
  }

  chance(one) {
    return this.random.below(100) < one;
  }

  pick(list) {
    return list[this.random.below(list.length)];
  }

  fresh() {
    this.next += 1;
    return `x${this.next}`;
  }

  kind(i) {
    let at = this.random.below(KINDS.reduce((sum, k) => sum + k.weight, 0));
    const kind = KINDS.find((k) => {
      at -= k.weight;
      return at < 0;
    });
    const { language } = kind;
    const hasMain = language === 'cjs' && this.chance(60);
    return { id: `f${i}`, i, path: kind.name(i), language, hasMain };
  }

  ofLanguage(language) {
    const some = this.list.filter((file) => file.language === language);
    return this.pick(some.length > 0 ? some : this.list);
  }

  esm() {
    return this.ofLanguage('esm');
  }

  json() {
    return this.ofLanguage('json');
  }

  /** The name by which `from` calls a file: any one, if none is given. */
  name(from, file = this.pick(this.list)) {
    const { path, i } = file;
    if (path.startsWith('node_modules')) {
      const sub = file.hasMain ? '/sub/a.js' : '/sub/a';
      return `p${i}${this.pick(['', '', '', '/inside', sub])}`;
    }
    return this.place(from, file);
  }

  /** The same by its place. */
  place(from, file = this.pick(this.list)) {
    const { path } = file;
    const up = '../'.repeat(from.path.split('/').length - 1);
    return `${up || './'}${path}`;
  }

  write(file) {
    const { path, language, i } = file;
    if (language === 'json') {
      this.files[path] = this.pick(JSONS)(this, file);
      return;
    }
    this.files[path] = this.text(file, language === 'cjs');
    if (!path.startsWith('node_modules')) return;
    const folder = `node_modules/p${i}`;
    const own = `./${path.split('/').pop()}`;
    let other = own;
    if (language === 'both') {
      other = './both.cjs';
      const twin = { ...file, id: `${file.id}cjs` };
      this.files[`${folder}/both.cjs`] = this.text(twin, true);
    }
    this.files[`${folder}/sub/a.js`] = `exports.a = '${file.id}';`;
    this.files[`${folder}/package.json`] = JSON.stringify(
      file.hasMain
        ? { main: own }
        : {
            name: `p${i}`,
            exports: {
              '.': { import: own, require: other },
              './inside': [own],
              './sub/*': './sub/*.js',
              './closed': null,
            },
          },
    );
  }

  text(file, isCommonJs) {
    const lines = [];
    const own = isCommonJs ? CJS : ESM;
    if (!isCommonJs && this.chance(25)) {
      lines.push(this.pick(AWAITS)(this, file));
    }
    if (!isCommonJs && this.chance(10)) {
      lines.push(this.pick(DOUBTFUL)(this, file));
    }
    for (let k = 1 + this.random.below(5); k > 0; --k) {
      lines.push(this.pick(this.chance(70) ? own : BOTH)(this, file));
    }
    if (this.chance(10)) lines.push(this.pick(ENDS)(this, file));
    const { id } = file;
    const head = [PRELUDE, `T.say('${id} begins');`];
    const tail = ['let later = 1; function later2() { return later; }'];
    if (!isCommonJs) {
      tail.push(
        `export let v = '${id}'; export const late = '${id} late';`,
        'export function fun() { return late; } export class Kind {}',
        this.pick(DEFAULTS)(this, file),
      );
    }
    return [...head, ...lines, ...tail, `T.say('${id} ends');`, ''].join('\n');
  }
}

/**
 * @param {number} seed
 * @param {{ files?: number }} options at most that many files
 * @returns {{ files: Record<string, string>, entry: string }}
 */
function wideGraph(seed, { files: most = 8 } = {}) {
  return { files: new WideGraph(seed, most).files, entry: 'main.mjs' };
}

module.exports = { wideGraph };
