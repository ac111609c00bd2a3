'use strict';

// Structured clone of graphs that hold objects V8's serializer does not know.
// Here they are swapped: the graph is copied once in JavaScript with a
// placeholder for each, V8 clones that copy, and the clones of the placeholders
// become clones of the originals.

const {
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  keys,
} = Object;

// V8 copies what these are, and no other properties of them.
const LEAVES = new Set(
  [
    ArrayBuffer,
    BigInt,
    Boolean,
    DataView,
    Date,
    Error,
    Function,
    getPrototypeOf(Uint8Array),
    Number,
    Promise,
    RegExp,
    SharedArrayBuffer,
    String,
    Symbol,
    WeakMap,
    WeakRef,
    WeakSet,
  ].map(({ prototype }) => prototype),
);

function isPlain(value) {
  if (Array.isArray(value)) return true;
  const prototype = getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether V8 copies its own properties: also an instance of a user's class. */
function isContainer(value) {
  if (isPlain(value)) return true;
  let prototype = getPrototypeOf(value);
  while (prototype !== null) {
    if (LEAVES.has(prototype)) return false;
    prototype = getPrototypeOf(prototype);
  }
  // An object without keys may be of a kind that V8 refuses.
  return keys(value).length > 0;
}

const causeOf = (error) => getOwnPropertyDescriptor(error, 'cause');

const isObject = (value) => typeof value === 'object' && value !== null;

// Objects that can be reached from a plain one in one step; false when it has a
// getter, which V8 alone may call. Arrays' elements are taken to have none: to
// look for them takes more time than the rest.
function openPlain(value, open) {
  let hasNoGetter = true;
  if (Array.isArray(value)) {
    const { length } = value;
    for (let index = 0; index < length; index += 1) {
      const item = value[index];
      if (isObject(item)) open.push(item);
    }
    if (keys(value).length === length) return true;
  }
  for (const key in value) {
    const descriptor = getOwnPropertyDescriptor(value, key);
    if (descriptor === undefined) continue;
    if (descriptor.get !== undefined) hasNoGetter = false;
    else if (isObject(descriptor.value)) open.push(descriptor.value);
  }
  return hasNoGetter;
}

function openOthers(value, open) {
  if (value instanceof Map) {
    for (const [key, item] of [...value]) open.push(key, item);
  } else if (value instanceof Set) {
    for (const item of [...value]) open.push(item);
  } else if (value instanceof Error) {
    open.push(causeOf(value)?.value);
  } else if (isContainer(value)) {
    return openPlain(value, open);
  }
  return true;
}

/**
 * Whether an object that needs `cloneOf` can be reached from `value`.
 * `refuse` throws for one that cannot be cloned at all.
 */
function hasPlatformObject(value, { cloneOf, refuse }) {
  const seen = new Set();
  const open = [value];
  let found = false;
  while (open.length > 0) {
    const next = open.pop();
    if (!isObject(next) || seen.has(next)) continue;
    const before = open.length;
    if (isPlain(next)) {
      if (!openPlain(next, open)) found = true;
      // One that leads nowhere leads into no circle either.
      if (open.length > before) seen.add(next);
      continue;
    }
    seen.add(next);
    if (cloneOf(next) !== undefined) {
      found = true;
    } else {
      refuse(next);
      if (!openOthers(next, open)) found = true;
    }
  }
  return found;
}

// The same error for V8's eyes, with another cause.
function withCause(error, cause) {
  const copy = new Error('', { cause });
  Object.setPrototypeOf(copy, getPrototypeOf(error));
  for (const key of ['name', 'message']) {
    const own = getOwnPropertyDescriptor(error, key);
    if (own) defineProperty(copy, key, own);
    else delete copy[key];
  }
  defineProperty(copy, 'stack', { value: error.stack, configurable: true });
  return copy;
}

// Rebuilds `value` with `swap` applied to every object that is a leaf here.
function rebuild(value, memo, swap) {
  if (typeof value !== 'object' || value === null) return value;
  if (memo.has(value)) return memo.get(value);
  const other = swap(value);
  if (other !== undefined) {
    memo.set(value, other);
    return other;
  }
  if (value instanceof Map) {
    const copy = new Map();
    memo.set(value, copy);
    for (const [key, item] of [...value]) {
      copy.set(rebuild(key, memo, swap), rebuild(item, memo, swap));
    }
    return copy;
  }
  if (value instanceof Set) {
    const copy = new Set();
    memo.set(value, copy);
    for (const item of [...value]) copy.add(rebuild(item, memo, swap));
    return copy;
  }
  if (value instanceof Error) {
    memo.set(value, value);
    const cause = causeOf(value)?.value;
    const swapped = rebuild(cause, memo, swap);
    const copy = swapped === cause ? value : withCause(value, swapped);
    memo.set(value, copy);
    return copy;
  }
  if (!isContainer(value)) return value;
  const copy = Array.isArray(value) ? new Array(value.length) : {};
  memo.set(value, copy);
  for (const key of keys(value)) {
    // A getter before it may have taken it away.
    if (!hasOwn(value, key)) continue;
    defineProperty(copy, key, {
      value: rebuild(value[key], memo, swap),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return copy;
}

/**
 * @param {unknown} value
 * @param {{ cloneOf: (part: object) => undefined | (() => object),
 *   refuse: (part: object) => void }} kinds
 * @param {(value: unknown) => unknown} native V8's clone; the clones of
 *   `cloneOf` are made when it has succeeded
 */
function clonePlatformGraph(value, { cloneOf, refuse }, native) {
  const makers = [];
  const places = [];
  const marked = rebuild(value, new Map(), (part) => {
    const make = cloneOf(part);
    if (make === undefined) {
      if (!isPlain(part)) refuse(part);
      return undefined;
    }
    makers.push(make);
    places.push({});
    return places.at(-1);
  });
  // V8 keeps identities inside one clone, so its copies of the placeholders
  // are recognised by their place in the second list.
  const cloned = native([marked, places]);
  const originals = new Map(
    cloned[1].map((place, index) => [place, makers[index]()]),
  );
  return rebuild(cloned[0], new Map(), (part) => originals.get(part));
}

module.exports = { clonePlatformGraph, hasPlatformObject };
