// The copies of the language's built-ins that Node's library works with
// (internal/per_context/primordials), as straight code for only those that are
// used: Node's own loops over all built-ins take two thirds of the time and the
// memory that a realm's first module costs.

import { renderSafeClasses } from './node-safe-classes.mjs';

const upper = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
const isWord = (key) => /^[A-Za-z_$][\w$]*$/.test(key);

// Of keys as Node writes them: `Symbol.iterator` is SymbolIterator.
const nameOf = (key) =>
  key.startsWith('Symbol.') ? `Symbol${upper(key.slice(7))}` : upper(key);
function member(key) {
  if (key.startsWith('Symbol.')) return `[${key}]`;
  return isWord(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
const literal = (key) =>
  key.startsWith('Symbol.') ? key : JSON.stringify(key);

/** Objects that no global names. */
const ABSTRACT = {
  IteratorPrototype: 'getProto(getProto([][Symbol.iterator]()))',
  TypedArray: 'getProto(Uint8Array)',
  ArrayIteratorPrototype: 'getProto([][Symbol.iterator]())',
  MapIteratorPrototype: 'getProto(new Map()[Symbol.iterator]())',
  SetIteratorPrototype: 'getProto(new Set()[Symbol.iterator]())',
  StringIteratorPrototype: "getProto(''[Symbol.iterator]())",
  AsyncIteratorPrototype: 'getProto(getProto(async function* () {}).prototype)',
};

const NAMESPACES = ['Atomics', 'JSON', 'Math', 'Proxy', 'Reflect'];
const PLAIN = [
  'Proxy',
  'globalThis',
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'escape',
  'eval',
  'unescape',
];

// The classes that Node's text lists.
function classesOf(text) {
  const lists = text.matchAll(
    /^\[\n((?: {2}(?:\/\/.*|'\w+',)\n)+)\]\.forEach/gm,
  );
  for (const [, list] of lists) {
    const names = Array.from(list.matchAll(/'(\w+)'/g), ([, name]) => name);
    if (names.includes('ArrayBuffer')) return names;
  }
  throw new Error('primordials: no list of classes');
}

/**
 * Runs in the Node whose text is taken, in a fresh realm: how the members of
 * each object are made. Rows of [key, kind], `g` for a getter, `s` for one with
 * a setter, `f` for a function, `i` for one in whose place Node's safe class has
 * another, which gives a safe iterator, `v` for other values.
 */
export function reflect(names, abstract, text) {
  const getProto = Reflect.getPrototypeOf;
  const ownOf = Reflect.getOwnPropertyDescriptor;
  const copies = {};
  new Function('primordials', text)(copies);
  const isReplaced = (object, key, value) => {
    const safe = copies[`Safe${object.constructor?.name}`]?.prototype;
    if (safe === undefined || key === 'constructor') return false;
    return ownOf(safe, key).value !== value;
  };
  const rowsOf = (object) =>
    Reflect.ownKeys(object).map((key) => {
      const found = ownOf(object, key);
      const name = typeof key === 'symbol' ? key.description : key;
      if ('get' in found) return [name, found.set ? 's' : 'g'];
      const { value } = found;
      if (typeof value !== 'function') return [name, 'v'];
      return [name, isReplaced(object, key, value) ? 'i' : 'f'];
    });
  const rows = {};
  const add = (name, object) => {
    rows[name] = rowsOf(object);
    if (typeof object === 'function' && object.prototype) {
      rows[`${name}.prototype`] = rowsOf(object.prototype);
    }
  };
  for (const name of names) {
    if (globalThis[name] !== undefined) add(name, globalThis[name]);
  }
  for (const [name, text] of Object.entries(abstract)) {
    add(name, new Function('getProto', `return ${text}`)(getProto));
  }
  return rows;
}

/** The names that reflect() is asked for. */
export const reflectedNames = (text) => [
  ...NAMESPACES,
  ...classesOf(text),
  'Promise',
];
export { ABSTRACT };

const TAKEN = /^const \{([^{}]*)\} = primordials;$/gm;
const BARE = /\bprimordials\.(\w+)/g;

/** Names that a text takes of the primordials. */
export function namesOf(text) {
  const names = [];
  for (const [, list] of text.matchAll(TAKEN)) {
    for (const [name] of partsOf(list)) names.push(name);
  }
  for (const [, name] of text.matchAll(BARE)) names.push(name);
  return names;
}

/** `A, B: C` of a destructuring, as [name, alias]. */
export const partsOf = (list) =>
  list
    .replaceAll(/\/\/.*$/gm, '')
    .split(',')
    .map((part) => part.split(':').map((word) => word.trim()))
    .filter(([name]) => name !== '')
    .map(([name, alias = name]) => [name, alias]);

class Copies {
  lines = [];
  #used;
  #seen = new Set();

  constructor(used) {
    this.#used = used;
  }

  has(name) {
    return this.#seen.has(name);
  }

  put(name, expression) {
    if (!this.#used.has(name) || this.#seen.has(name)) return;
    this.#seen.add(name);
    this.lines.push(`primordials.${name} = ${expression};`);
  }

  /** As copyPropsRenamed, copyPrototype and copyPropsRenamedBound. */
  all(rows, owner, prefix, wrap) {
    for (const [key, kind] of rows) {
      const name = `${prefix}${nameOf(key)}`;
      const at = `${owner}${member(key)}`;
      if (kind === 'g' || kind === 's') {
        const of = `getOwn(${owner}, ${literal(key)})`;
        this.put(`${prefix}Get${nameOf(key)}`, `uncurryThis(${of}.get)`);
        if (kind === 's') {
          this.put(`${prefix}Set${nameOf(key)}`, `uncurryThis(${of}.set)`);
        }
        continue;
      }
      this.put(name, kind === 'v' ? at : wrap(at));
      if (kind === 'v') continue;
      const self = owner.endsWith('prototype') ? '' : `, ${owner}`;
      this.put(`${name}Apply`, `applyBind(${at}${self})`);
    }
  }
}

/**
 * @param {string} text Node's internal/per_context/primordials
 * @param {Record<string, string[][]>} rows what reflect() gave
 * @param {Set<string>} used the names that the library takes
 * @returns {string} statements that fill the object `primordials`
 */
export function renderPrimordials(text, rows, used) {
  const mark = '/* eslint-enable node-core/prefer-primordials */';
  const rest = renderSafeClasses(
    text.slice(text.lastIndexOf(mark) + mark.length),
    rows,
    used,
  );
  const copies = new Copies(new Set([...used, ...namesOf(rest)]));
  const same = (at) => at;
  const uncurried = (at) => `uncurryThis(${at})`;
  for (const name of PLAIN) copies.put(name, name);
  for (const name of NAMESPACES) copies.all(rows[name], name, name, same);
  const classes = classesOf(text);
  for (const name of classes) {
    if (rows[name] === undefined) continue;
    copies.put(name, name);
    copies.all(rows[name], name, name, same);
    const of = `${name}.prototype`;
    copies.all(rows[of], of, `${name}Prototype`, uncurried);
  }
  copies.put('Promise', 'Promise');
  const bound = (at) => `${at}.bind(Promise)`;
  copies.all(rows.Promise, 'Promise', 'Promise', bound);
  const methods = 'Promise.prototype';
  copies.all(rows[methods], methods, 'PromisePrototype', uncurried);
  const first = [];
  for (const [name, expression] of Object.entries(ABSTRACT)) {
    first.push(`const X${name} = ${expression};`);
    copies.put(name, `X${name}`);
    copies.all(rows[name], `X${name}`, name, uncurried);
    const own = rows[`${name}.prototype`];
    if (own === undefined) continue;
    copies.all(own, `X${name}.prototype`, `${name}Prototype`, uncurried);
  }
  const missing = [...used].filter(
    (name) =>
      !copies.has(name) &&
      !/^(uncurryThis|applyBind)$/.test(name) &&
      !rest.includes(`primordials.${name} =`),
  );
  if (missing.length > 0) {
    throw new Error(`primordials: not known are ${missing.join(', ')}`);
  }
  return `{
const { apply, bind, call } = Function.prototype;
const uncurryThis = bind.bind(call), applyBind = bind.bind(apply);
const { getOwnPropertyDescriptor: getOwn, getPrototypeOf: getProto } = Reflect;
primordials.uncurryThis = uncurryThis;
primordials.applyBind = applyBind;
${first.join('\n')}
${copies.lines.join('\n')}
}
(function () {
const { defineProperty: ReflectDefineProperty, getOwnPropertyDescriptor: ReflectGetOwnPropertyDescriptor } = Reflect;
const { uncurryThis } = primordials;
${rest}
})();`;
}
