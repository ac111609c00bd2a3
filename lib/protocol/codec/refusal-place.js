'use strict';
// Finds the part of a value that the codec refused, for the hint of the error,
// on both sides. The search runs only after a refusal, so encoding pays nothing
// for it. The answer has names of properties and types, never a value.

const {
  ObjectPrototype,
  TO_STRING_TAG,
  append,
  getPrototypeOf,
  isArray,
  isFinite,
  isView,
  list,
  ownKeys,
  textIndexOf,
} = require('./captured.js');
const { isBuffer } = require('./byte-parts.js');
const { isForeignPlain } = require('./plain.js');

const MAX_DEPTH = 1000;
const MAX_LOOKED = 1_000_000;
const MAX_KEY = 64;
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$';
const DIGITS = '0123456789';

const orClone = (advice) => `${advice}, or make the pool with payload: 'clone'`;

/** Advice on what to send instead, by the kind of the refused part. */
const INSTEAD = {
  __proto__: null,
  Date: orClone('send its toISOString() or getTime()'),
  Map: orClone('send [...map] or Object.fromEntries(map)'),
  Set: orClone('send [...set]'),
  bigint: orClone('send it as a string'),
  function: 'a function cannot be part of a payload',
  symbol: 'a symbol cannot be part of a payload',
  Promise: 'await it first',
  generator: 'send an array, or call its function with pool.stream()',
  RegExp: orClone('send its source and flags'),
  Error: orClone('send its name and message'),
  URL: 'send its href',
  'number that is not finite': orClone('send null or a string in its place'),
  cycle: orClone('send what it holds without the way back'),
  'value that cannot be read': 'a getter or a proxy threw while it was read',
};

function isName(key) {
  if (key === '' || key.length > MAX_KEY) return false;
  for (let i = 0; i < key.length; i++) {
    const isLetter = textIndexOf(LETTERS, key[i]) >= 0;
    if (!isLetter && (i === 0 || textIndexOf(DIGITS, key[i]) < 0)) return false;
  }
  return true;
}

function isIndex(key) {
  for (let i = 0; i < key.length; i++) {
    if (textIndexOf(DIGITS, key[i]) < 0) return false;
  }
  return key.length < 11;
}

// A key that is no identifier may be data, such as an e-mail address.
function stepTo(key, inArray) {
  if (inArray && isIndex(key)) return `[${key}]`;
  return isName(key) ? `.${key}` : '[…]';
}

/** The name of the class that made an object. */
function className(value) {
  const tag = value[TO_STRING_TAG];
  if (tag === 'Generator' || tag === 'AsyncGenerator') return 'generator';
  const { constructor } = getPrototypeOf(value);
  const name = typeof constructor === 'function' ? constructor.name : '';
  return typeof name === 'string' && isName(name) ? name : 'object of a class';
}

const isPlain = (value, prototype) =>
  prototype === null ||
  prototype === ObjectPrototype ||
  isForeignPlain(value, prototype);

/** The kind that the codec refuses in the value itself; '' if none. */
function kindOf(value) {
  switch (typeof value) {
    case 'number':
      return isFinite(value) ? '' : 'number that is not finite';
    case 'bigint':
    case 'function':
    case 'symbol':
      return typeof value;
    case 'object':
      break;
    default:
      return '';
  }
  if (value === null || isArray(value) || isView(value) || isBuffer(value)) {
    return '';
  }
  return isPlain(value, getPrototypeOf(value)) ? '' : className(value);
}

const holdsOthers = (value) =>
  typeof value === 'object' &&
  value !== null &&
  !isView(value) &&
  !isBuffer(value);

// Depth first, as the codec goes. Returns [path, kind], or null.
function find(value, path, above, looked) {
  looked.count += 1;
  if (looked.count > MAX_LOOKED || above.length > MAX_DEPTH) return null;
  let keys;
  try {
    const kind = kindOf(value);
    if (kind !== '') return { path, kind };
    if (!holdsOthers(value)) return null;
    for (let i = 0; i < above.length; i++) {
      if (above[i] === value) return { path, kind: 'cycle' };
    }
    keys = ownKeys(value);
  } catch {
    return { path, kind: 'value that cannot be read' };
  }
  append(above, value);
  const inArray = isArray(value);
  for (let i = 0; i < keys.length; i++) {
    const at = path + stepTo(keys[i], inArray);
    let member;
    try {
      member = value[keys[i]];
    } catch {
      return { path: at, kind: 'value that cannot be read' };
    }
    const found = find(member, at, above, looked);
    if (found !== null) return found;
  }
  above.length -= 1;
  return null;
}

const article = (kind) => (textIndexOf('aeioAEIO', kind[0]) < 0 ? 'a' : 'an');

/**
 * @param {string} root name of the value: `input`, `result`
 * @param {unknown} value that the codec refused for its kind
 * @returns {string} such as `input.rows[3].created is a Date: send its …`; ''
 *   if nothing is found, because a getter now returns something else
 */
function placeOfRefusal(root, value) {
  let found;
  try {
    found = find(value, root, list(), { count: 0 });
  } catch {
    // The end of the stack, or a proxy.
    return '';
  }
  return found === null ? '' : sentence(found);
}

function sentence({ path, kind }) {
  const instead = INSTEAD[kind] ?? 'send a plain object of what the job needs';
  return `${path} is ${article(kind)} ${kind}: ${instead}`;
}

module.exports = { className, isPlain, placeOfRefusal, sentence, stepTo };
