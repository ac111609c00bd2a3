'use strict';

// The Headers of the Fetch standard. Nothing is sent from here, so there are
// no names that a request may not have.

const { enumerable, isObject, tag } = require('../webidl.js');
const { inspectable, withOptions } = require('./inspected.js');
const { pairIterable } = require('./pairs.js');
const {
  byteString,
  illegal,
  isLate,
  need,
  noSymbol,
  quoted,
  wrong,
} = require('./refusals.js');

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const BAD = /[\0\r\n]/;
const EDGES = /^[\t\n\r ]+|[\t\n\r ]+$/g;

// Names that were found good lately: most are few, and come again and again.
const MOST_NAMES = 256;
const goodNames = new Map();

function nameOf(value, where) {
  noSymbol(value, `${where}: name`);
  const text = `${value}`;
  return goodNames.get(text) ?? checkedName(text, where);
}

function checkedName(text, where) {
  const name = byteString(text, where);
  if (!TOKEN.test(name)) {
    throw wrong(`${where}: "${name}" is an invalid header name.`);
  }
  const lower = name.toLowerCase();
  if (goodNames.size === MOST_NAMES) goodNames.clear();
  goodNames.set(text, lower);
  return lower;
}

// Both are texts before one of them is looked at.
function pairOf(name, value, where) {
  noSymbol(name, `${where}: name`);
  const text = `${name}`;
  const known = goodNames.get(text);
  if (known === undefined) byteString(text, where);
  const bytes = trimmed(byteString(value, `${where}: value`));
  const key = known ?? checkedName(text, where);
  return [key, checkedValue(bytes, where), text];
}

const isEnumerable = Function.prototype.call.bind(
  Object.prototype.propertyIsEnumerable,
);

const isEdge = (code) =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

// A value of bytes, without white space at its ends.
function trimmed(text) {
  const { length } = text;
  if (
    length !== 0 &&
    (isEdge(text.charCodeAt(0)) || isEdge(text.charCodeAt(length - 1)))
  ) {
    return text.replace(EDGES, '');
  }
  return text;
}

// It has no end of line.
function checkedValue(text, where) {
  if (!BAD.test(text)) return text;
  throw wrong(`${where}: "${text}" is an invalid header value.`);
}

const { ownKeys } = Reflect;
const NEW = 'Headers constructor';

// The library's mistake in a word, up to Node 22.
const OWN_PLACE = isLate() ? [NEW, 'init'] : ['Headers contructor', 'init'];

/** What `value` iterates over, each with its number. */
function itemsOf(value, place, convert, begin) {
  if (!isObject(value))
    throw wrong(`${place} (${quoted(value)}) is not iterable.`);
  const iterator = begin(value);
  if (typeof iterator?.next !== 'function') {
    throw wrong(`${place} is not iterable.`);
  }
  const items = [];
  for (;;) {
    const { done, value: item } = iterator.next();
    if (done) return items;
    items.push(convert(item, `${place}[${items.length}]`));
  }
}

const begin = (value) => value[Symbol.iterator]?.();

// Only what is enumerable counts in a proxy, as in the library.
function recordOf(init, [prefix, name]) {
  const { isProxy } = require('sw:library').moduleOf('internal/util/types');
  const isPlain = !isProxy(init);
  const pairs = [];
  for (const key of ownKeys(init)) {
    if (!isPlain && !isEnumerable(init, key)) continue;
    const place = `${prefix}: ${name}`;
    noSymbol(
      key,
      isLate() ? `${prefix}: Key ${quoted(key)} in ${name}` : place,
    );
    // A name that was found good is one of bytes.
    const text = goodNames.has(key) ? key : byteString(key, NEW);
    const value = init[key];
    pairs.push(
      text,
      byteString(value, isLate() ? `${place}["${key}"]` : place),
    );
  }
  return pairs;
}

/**
 * The pairs of a sequence or a record.
 *
 * @param {[string, string]} place where it is, and its name there
 * @returns {string[] | number} a name, its value, and so on; the length of what
 *   is no pair
 */
function pairsOf(init, place) {
  if (!isObject(init)) {
    throw wrong(
      `${NEW}: Argument 1 could not be converted to one of: sequence<sequence<ByteString>>, record<ByteString, ByteString>.`,
    );
  }
  // Looked up once, as a proxy can tell.
  const method = init[Symbol.iterator];
  if (typeof method !== 'function') return recordOf(init, place);
  const pairs = itemsOf(
    init,
    place.join(': '),
    (item, itemPlace) => itemsOf(item, itemPlace, byteString, begin),
    () => Reflect.apply(method, init, []),
  );
  for (const { length } of pairs) {
    if (length !== 2) return length;
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
  // The spelling of names that are not in lower case.
  #spelled;
  #isImmutable = false;
  #sorted;

  constructor(init = undefined) {
    if (init !== undefined) this.#fill(headersInit(init, OWN_PLACE));
  }

  #fill(pairs) {
    if (isHeaders(pairs)) return this.#take(pairs);
    if (typeof pairs === 'number') {
      throw wrong(
        `${NEW}: expected name/value pair to be length 2, found ${pairs}.`,
      );
    }
    const where = 'Headers.append';
    for (let at = 0; at < pairs.length; at += 2) {
      const text = trimmed(pairs[at + 1]);
      const key = nameOf(pairs[at], where);
      this.#spell(key, pairs[at], false);
      this.#append(key, checkedValue(text, where));
    }
  }

  #append(key, text) {
    const lists = this.#lists;
    const before = lists.get(key);
    if (before === undefined) lists.set(key, text);
    else if (typeof before === 'string') lists.set(key, [before, text]);
    else before.push(text);
  }

  #take(other) {
    for (const [name, values] of other.#lists) {
      this.#lists.set(name, typeof values === 'string' ? values : [...values]);
    }
    if (other.#spelled) this.#spelled = new Map(other.#spelled);
  }

  // Names are shown as they came first, or were set.
  #spell(key, name, isSet) {
    const text = `${name}`;
    if (text === key) {
      if (isSet) this.#spelled?.delete(key);
      return;
    }
    if (!isSet && this.#lists.has(key)) return;
    this.#spelled ??= new Map();
    this.#spelled.set(key, text);
  }

  #change() {
    this.#sorted = undefined;
    if (this.#isImmutable) throw wrong('immutable');
  }

  append(name, value) {
    if (!(#lists in this)) throw illegal();
    need(2, arguments.length, 'Headers.append');
    const [key, text, spelling] = pairOf(name, value, 'Headers.append');
    this.#change();
    this.#spell(key, spelling, false);
    this.#append(key, text);
  }

  delete(name) {
    if (!(#lists in this)) throw illegal();
    need(1, arguments.length, 'Headers.delete');
    const key = nameOf(name, 'Headers.delete');
    this.#change();
    this.#spelled?.delete(key);
    this.#lists.delete(key);
  }

  get(name) {
    if (!(#lists in this)) throw illegal();
    need(1, arguments.length, 'Headers.get');
    return joined(this.#lists.get(nameOf(name, 'Headers.get')));
  }

  getSetCookie() {
    if (!(#lists in this)) throw illegal();
    return [...listOf(this.#lists.get('set-cookie') ?? [])];
  }

  has(name) {
    if (!(#lists in this)) throw illegal();
    need(1, arguments.length, 'Headers.has');
    return this.#lists.has(nameOf(name, 'Headers.has'));
  }

  set(name, value) {
    if (!(#lists in this)) throw illegal();
    need(2, arguments.length, 'Headers.set');
    const [key, text, spelling] = pairOf(name, value, 'Headers.set');
    this.#change();
    this.#spell(key, spelling, true);
    this.#lists.set(key, text);
  }

  static internals = {
    pairs(headers) {
      if (!(#lists in headers)) throw illegal();
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
      copy.#take(headers);
      copy.#isImmutable = headers.#isImmutable;
      return copy;
    },

    make(init) {
      const headers = new Headers();
      if (init !== undefined) headers.#fill(init);
      return headers;
    },

    // In the order and spelling in which they came.
    shown(headers) {
      if (!(#lists in headers)) throw illegal();
      const shown = {};
      for (const [name, values] of headers.#lists) {
        shown[headers.#spelled?.get(name) ?? name] = joined(values);
      }
      return shown;
    },

    isHeaders: (value) => isObject(value) && #lists in value,

    read: (headers, name) => joined(headers.#lists.get(name)),

    freeze(headers) {
      headers.#isImmutable = true;
    },
  };
}
const {
  copy: copyHeaders,
  freeze: freezeHeaders,
  isHeaders,
  make: makeHeaders,
  pairs,
  read: readHeader,
  shown,
} = Headers.internals;
delete Headers.internals;
enumerable(Headers, ['append', 'delete', 'get', 'getSetCookie', 'has', 'set']);
pairIterable(Headers, pairs);
tag(Headers);

// Headers whose iterator nobody has replaced: they keep how names are spelled.
const { entries } = Headers.prototype;
const isPlainHeaders = (value) =>
  isHeaders(value) && value[Symbol.iterator] === entries;

/** Reads early, with the other options, all that headers are made of (`makeHeaders`). */
const headersInit = (init, place) =>
  isPlainHeaders(init) ? init : pairsOf(init, place);

inspectable(Headers, (headers, depth, options) => {
  options.depth ??= depth;
  return withOptions(options, shown(headers));
});

module.exports = {
  Headers,
  TOKEN,
  copyHeaders,
  freezeHeaders,
  headersInit,
  makeHeaders,
  readHeader,
};
