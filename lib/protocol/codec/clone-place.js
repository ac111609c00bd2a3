'use strict';
// Finds the part of a value that cannot be cloned, for the hint of the error, on
// both sides, as refusal-place.js does for plain payloads.

const {
  CodecSet,
  append,
  getPrototypeOf,
  hasOwn,
  isArray,
  isView,
  list,
  mapForEach,
  ownKeys,
  setAdd,
  setForEach,
  setHas,
} = require('./captured.js');
const { isBuffer } = require('./byte-parts.js');
const { className, isPlain, sentence, stepTo } = require('./refusal-place.js');

const MAX_DEPTH = 1000;
const MAX_LOOKED = 1_000_000;
// A key or an element of a Map or a Set may be data.
const WITHIN = '[…]';

// The contents of a Map or a Set, or null.
function contentsOf(value) {
  const contents = list();
  try {
    mapForEach(value, (element, key) => {
      append(contents, key);
      append(contents, element);
    });
    return contents;
  } catch {}
  try {
    setForEach(value, (element) => append(contents, element));
    return contents;
  } catch {
    return null;
  }
}

/**
 * @param {string} root name of the value: `input`, `result`
 * @param {unknown} value that could not be cloned
 * @param {(part: unknown) => boolean} isRefused whether a part of it cannot be
 *   cloned either
 * @returns {string} such as `input.rows[3].fn is a function: …`; '' if nothing
 *   is found
 */
function placeInClone(root, value, isRefused) {
  const seen = new CodecSet();
  let looked = 0;

  function find(part, path, depth) {
    if (typeof part === 'function' || typeof part === 'symbol') {
      return { path, kind: typeof part };
    }
    if (typeof part !== 'object' || part === null || setHas(seen, part)) {
      return null;
    }
    looked += 1;
    if (looked > MAX_LOOKED || depth > MAX_DEPTH) return null;
    setAdd(seen, part);
    if (isArray(part) || isPlain(part, getPrototypeOf(part))) {
      return findInKeys(part, path, depth);
    }
    if (!isRefused(part)) return null;
    if (isView(part) || isBuffer(part)) return { path, kind: className(part) };
    return findInside(part, path, depth) ?? { path, kind: className(part) };
  }

  function findInKeys(part, path, depth) {
    const inArray = isArray(part);
    const keys = ownKeys(part);
    for (let i = 0; i < keys.length; i++) {
      const at = path + stepTo(keys[i], inArray);
      let member;
      try {
        member = part[keys[i]];
      } catch {
        return { path: at, kind: 'value that cannot be read' };
      }
      const found = find(member, at, depth + 1);
      if (found !== null) return found;
    }
    return null;
  }

  function findInside(part, path, depth) {
    const contents = contentsOf(part);
    if (contents === null) {
      if (!hasOwn(part, 'cause')) return findInKeys(part, path, depth);
      return find(part.cause, `${path}.cause`, depth + 1);
    }
    for (let i = 0; i < contents.length; i++) {
      const found = find(contents[i], path + WITHIN, depth + 1);
      if (found !== null) return found;
    }
    return null;
  }

  try {
    const found = find(value, root, 0);
    return found === null ? '' : sentence(found);
  } catch {
    // The end of the stack, or a proxy.
    return '';
  }
}

module.exports = { placeInClone };
