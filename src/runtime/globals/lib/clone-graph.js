'use strict';

// Structured clone of graphs that hold objects V8's serializer does not know.
// Here they are swapped: the graph is copied once in JavaScript with a
// placeholder for each, V8 clones that copy, and the clones of the placeholders
// become clones of the originals.

const { getOwnPropertyDescriptor, getPrototypeOf, keys } = Object;

const isContainer = (value) => {
  if (Array.isArray(value)) return true;
  const prototype = getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

function children(value) {
  if (value instanceof Map) return [...value].flat();
  if (value instanceof Set) return [...value];
  if (!isContainer(value)) return [];
  return keys(value).map((key) => getOwnPropertyDescriptor(value, key)?.value);
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
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    if (cloneOf(next) !== undefined) {
      found = true;
      continue;
    }
    if (!isContainer(next)) refuse(next);
    for (const child of children(next)) open.push(child);
  }
  return found;
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
    for (const [key, item] of value) {
      copy.set(rebuild(key, memo, swap), rebuild(item, memo, swap));
    }
    return copy;
  }
  if (value instanceof Set) {
    const copy = new Set();
    memo.set(value, copy);
    for (const item of value) copy.add(rebuild(item, memo, swap));
    return copy;
  }
  if (!isContainer(value)) return value;
  const copy = Array.isArray(value) ? new Array(value.length) : {};
  memo.set(value, copy);
  for (const key of keys(value)) {
    Object.defineProperty(copy, key, {
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
 * @param {(part: object) => undefined | (() => object)} cloneOf
 * @param {(value: unknown) => unknown} native V8's clone; the clones of
 *   `cloneOf` are made when it has succeeded
 */
function clonePlatformGraph(value, cloneOf, native) {
  const makers = [];
  const places = [];
  const marked = rebuild(value, new Map(), (part) => {
    const make = cloneOf(part);
    if (make === undefined) return undefined;
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
