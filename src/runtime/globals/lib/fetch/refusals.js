'use strict';

// Refusals of the classes of the Fetch standard, in the words of the library
// that Node has for them: Node 24 brought another version of it.

const { nativeError } = require('../node-error.js');
const { since } = require('../versions.js');
const { isObject } = require('../webidl.js');

const isLate = () => since(24);
const wrong = (text, options = undefined) => new TypeError(text, options);

/** A TypeError for a call with too few arguments. */
function need(count, given, where) {
  if (given >= count) return;
  const noun = count === 1 ? 'argument' : 'arguments';
  const found = given === 0 ? '0' : `only ${given}`;
  throw wrong(`${where}: ${count} ${noun} required, but ${found} found.`);
}

/** A member was called for an object that is no instance. */
const illegal = () =>
  nativeError(TypeError, 'ERR_INVALID_THIS', 'Illegal invocation');

/** How a value is quoted. */
function quoted(value) {
  if (typeof value === 'symbol') return `Symbol(${value.description})`;
  if (typeof value === 'bigint' && isLate()) return `${value}n`;
  if (typeof value === 'string') return `"${value}"`;
  if (!isObject(value)) return `${value}`;
  const { inspect } = require('sw:library').moduleOf('internal/util/inspect');
  return inspect(value);
}

/** @param {string} place what the value is */
function noSymbol(value, place, kind = 'ByteString') {
  if (typeof value !== 'symbol') return;
  const type = isLate() ? kind : 'DOMString';
  throw wrong(`${place} is a symbol, which cannot be converted to a ${type}.`);
}

/** A text of bytes. */
function byteString(value, place) {
  noSymbol(value, place);
  const text = `${value}`;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code <= 255) continue;
    throw wrong(
      `Cannot convert argument to a ByteString because the character at index ${index} has a value of ${code} which is greater than 255.`,
    );
  }
  return text;
}

/** The object that options are read from. */
function optionsOf(value, where) {
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  throw wrong(
    `${where}: Expected ${value} to be one of: Null, Undefined, Object.`,
  );
}

/** @param {string} where the method, such as FormData.append */
function noBlob(value, where) {
  const [name, method] = where.split('.');
  return wrong(
    isLate()
      ? `${where}: Expected value ("${quoted(value)}") to be an instance of Blob.`
      : `Failed to execute '${method}' on '${name}': parameter 2 is not of type 'Blob'`,
  );
}

const noSignal = (value) =>
  wrong(
    isLate()
      ? `RequestInit: Expected signal ("${quoted(value)}") to be an instance of AbortSignal.`
      : "Failed to construct 'Request': member signal is not of type AbortSignal.",
  );

// The library does not say of what it reads options.
const IN_REQUEST = () => (isLate() ? 'undefined' : 'Request constructor');
const OF_REQUEST = (name) =>
  isLate()
    ? `undefined: undefined.${name}`
    : `Request constructor: init.${name}`;

module.exports = {
  IN_REQUEST,
  OF_REQUEST,
  byteString,
  illegal,
  isLate,
  need,
  noBlob,
  noSignal,
  noSymbol,
  optionsOf,
  quoted,
  wrong,
};
