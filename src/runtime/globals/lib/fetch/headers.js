'use strict';

// The Headers of the Fetch standard. Nothing is sent from here, so there are
// no names that a request may not have.

const {
  enumerable,
  inspectSymbol,
  isObject,
  need,
  sequence,
  tag,
} = require('../webidl.js');
const { pairIterable } = require('./pairs.js');

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const BAD = /[\0\r\n]/;
const EDGES = /^[\t\n\r ]+|[\t\n\r ]+$/g;

function byteString(value, where) {
  const text = `${value}`;
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 255) {
      throw new TypeError(`${where}: a character is no byte`);
    }
  }
  return text;
}

// Names that were found good lately: most are few, and come again and again.
const MOST_NAMES = 256;
const goodNames = new Map();

function nameOf(value, where) {
  const text = `${value}`;
  return goodNames.get(text) ?? checkedName(text, where);
}

function checkedName(text, where) {
  const name = byteString(text, where);
  if (!TOKEN.test(name)) throw new TypeError(`${where}: no header name`);
  const lower = name.toLowerCase();
  if (goodNames.size === MOST_NAMES) goodNames.clear();
  goodNames.set(text, lower);
  return lower;
}

const isEdge = (code) =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

const valueOf = (value, where) => trimmed(byteString(value, where), where);

// A value of bytes, without white space at its ends; no end of line.
function trimmed(bytes, where) {
  let text = bytes;
  const { length } = text;
  if (
    length !== 0 &&
    (isEdge(text.charCodeAt(0)) || isEdge(text.charCodeAt(length - 1)))
  ) {
    text = text.replace(EDGES, '');
  }
  if (BAD.test(text)) throw new TypeError(`${where}: no header value`);
  return text;
}

const isEnumerable = Function.prototype.call.bind(
  Object.prototype.propertyIsEnumerable,
);
const { ownKeys } = Reflect;

/** The pairs of a sequence or a record: a name, its value, and so on. */
function pairsOf(init, where) {
  if (!isObject(init)) {
    throw new TypeError(`${where}: neither pairs nor a record`);
  }
  const method = init[Symbol.iterator];
  if (method === undefined || method === null) {
    const pairs = [];
    const keys = ownKeys(init);
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at];
      if (!isEnumerable(init, key)) continue;
      // A name that was found good is one of bytes.
      const name = goodNames.has(key) ? key : byteString(key, where);
      pairs.push(name, byteString(init[key], where));
    }
    return pairs;
  }
  const convert = (value) => byteString(value, where);
  // Looked up once, as a proxy can tell.
  const source = {
    [Symbol.iterator]: () => Reflect.apply(method, init, []),
  };
  const pairs = sequence(source, where, (item) =>
    sequence(item, where, convert),
  );
  for (const pair of pairs) {
    if (pair.length !== 2) throw new TypeError(`${where}: not a pair`);
  }
  return pairs.flat();
}

// All but cookies are seen as one text. One alone is no list.
function joined(values) {
  if (values === undefined) return null;
  return typeof values === 'string' ? values : values.join(', ');
}

const listOf = (values) => (typeof values === 'string' ? [values] : values);

class Headers {
  // The value by lower-case name, or a list of them.
  #lists = new Map();
  #isImmutable = false;
  #sorted;

  constructor(init = undefined) {
    if (init !== undefined) this.#fill(init, 'Headers');
  }

  #fill(init, where) {
    const pairs = pairsOf(init, where);
    for (let at = 0; at < pairs.length; at += 2) {
      this.#append(nameOf(pairs[at], where), trimmed(pairs[at + 1], where));
    }
  }

  #append(key, text) {
    const lists = this.#lists;
    const before = lists.get(key);
    if (before === undefined) lists.set(key, text);
    else if (typeof before === 'string') lists.set(key, [before, text]);
    else before.push(text);
  }

  #change(where) {
    this.#sorted = undefined;
    if (this.#isImmutable) throw new TypeError(`${where}: immutable`);
  }

  append(name, value) {
    need(2, arguments.length, 'Headers.append');
    const key = nameOf(name, 'Headers.append');
    const text = valueOf(value, 'Headers.append');
    this.#change('Headers.append');
    this.#append(key, text);
  }

  delete(name) {
    need(1, arguments.length, 'Headers.delete');
    const key = nameOf(name, 'Headers.delete');
    this.#change('Headers.delete');
    this.#lists.delete(key);
  }

  get(name) {
    need(1, arguments.length, 'Headers.get');
    return joined(this.#lists.get(nameOf(name, 'Headers.get')));
  }

  getSetCookie() {
    return [...listOf(this.#lists.get('set-cookie') ?? [])];
  }

  has(name) {
    need(1, arguments.length, 'Headers.has');
    return this.#lists.has(nameOf(name, 'Headers.has'));
  }

  set(name, value) {
    need(2, arguments.length, 'Headers.set');
    const key = nameOf(name, 'Headers.set');
    const text = valueOf(value, 'Headers.set');
    this.#change('Headers.set');
    this.#lists.set(key, text);
  }

  static internals = {
    pairs(headers) {
      headers.#sorted ??= [...headers.#lists.keys()].sort().flatMap((name) => {
        const values = headers.#lists.get(name);
        return name === 'set-cookie'
          ? listOf(values).map((value) => [name, value])
          : [[name, joined(values)]];
      });
      return headers.#sorted;
    },

    copy(headers) {
      const copy = new Headers();
      for (const [name, values] of headers.#lists) {
        copy.#lists.set(
          name,
          typeof values === 'string' ? values : [...values],
        );
      }
      copy.#isImmutable = headers.#isImmutable;
      return copy;
    },

    read: (headers, name) => joined(headers.#lists.get(name)),

    freeze(headers) {
      headers.#isImmutable = true;
    },
  };
}
const {
  copy: copyHeaders,
  freeze: freezeHeaders,
  pairs,
  read: readHeader,
} = Headers.internals;
delete Headers.internals;
enumerable(Headers, ['append', 'delete', 'get', 'getSetCookie', 'has', 'set']);
pairIterable(Headers, pairs);
tag(Headers);
Object.defineProperty(Headers.prototype, inspectSymbol, {
  value(depth, options, inspect) {
    if (depth < 0) return '[Headers]';
    return `Headers ${inspect(Object.fromEntries(pairs(this)), options)}`;
  },
  configurable: true,
  writable: true,
});

module.exports = {
  Headers,
  TOKEN,
  byteString,
  copyHeaders,
  freezeHeaders,
  readHeader,
};
