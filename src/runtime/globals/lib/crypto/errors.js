'use strict';

// Node's errors and argument checks, for all of crypto.

const { nativeError, nodeError } = require('../node-error.js');

// Node's own classes, because their messages differ between releases.
function make(code, ...parts) {
  const { codes } = require('sw:library').moduleOf('internal/errors');
  return new codes[code](...parts);
}

/** @param {string | string[]} expected names of types and classes */
const invalidType = (name, expected, value) =>
  make('ERR_INVALID_ARG_TYPE', name, expected, value);

const invalidValue = (name, value, reason = undefined) =>
  make('ERR_INVALID_ARG_VALUE', name, value, reason);

const outOfRange = (name, range, value) =>
  make('ERR_OUT_OF_RANGE', name, range, value);

function needString(value, name) {
  if (typeof value !== 'string') throw invalidType(name, 'string', value);
}

/** An option that is a text, if it is given. */
function textOption(options, name) {
  const value = options?.[name];
  if (value !== undefined && value !== null) {
    needString(value, `options.${name}`);
  }
  return value;
}

function needNumber(value, name) {
  if (typeof value !== 'number') throw invalidType(name, 'number', value);
}

function needBoolean(value, name) {
  if (typeof value !== 'boolean') throw invalidType(name, 'boolean', value);
}

function needFunction(value, name = 'callback') {
  if (typeof value !== 'function') throw invalidType(name, 'function', value);
}

function needObject(value, name) {
  if (value === null || Array.isArray(value) || typeof value !== 'object') {
    throw invalidType(name, 'Object', value);
  }
}

function needIntegerIn(value, name, min, max) {
  if (typeof value !== 'number') throw invalidType(name, 'number', value);
  if (!Number.isInteger(value)) throw outOfRange(name, 'an integer', value);
  if (value < min || value > max) {
    throw outOfRange(name, `>= ${min} && <= ${max}`, value);
  }
}

const needInteger = (
  value,
  name,
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
) => needIntegerIn(value, name, min, max);
const needInt32 = (value, name, min = -2147483648, max = 2147483647) =>
  needIntegerIn(value, name, min, max);

function needUint32(value, name, isPositive = false) {
  if (typeof value !== 'number') throw invalidType(name, 'number', value);
  if (!Number.isInteger(value)) throw outOfRange(name, 'an integer', value);
  const min = isPositive ? 1 : 0;
  if (value < min || value > 4294967295) {
    throw outOfRange(name, `>= ${min} && <= 4294967295`, value);
  }
}

function needOneOf(value, name, allowed) {
  if (allowed.includes(value)) return;
  const list = allowed
    .map((each) => (typeof each === 'string' ? `'${each}'` : String(each)))
    .join(', ');
  throw invalidValue(name, value, `must be one of: ${list}`);
}

/** An Error of `crypto` with its code. */
const cryptoError = (code, message, Base = Error) =>
  nodeError(Base, `ERR_CRYPTO_${code}`, message);

/** The same, of those that Node's C++ makes. */
const refused = (code, message, Base = Error) =>
  nativeError(Base, `ERR_CRYPTO_${code}`, message);

const invalidState = (operation) =>
  cryptoError('INVALID_STATE', `Invalid state for operation ${operation}`);
const invalidDigest = (name) =>
  cryptoError('INVALID_DIGEST', `Invalid digest: ${name}`, TypeError);

module.exports = {
  cryptoError,
  invalidDigest,
  invalidState,
  invalidType,
  invalidValue,
  make,
  nativeError,
  needBoolean,
  needFunction,
  needInt32,
  needInteger,
  needNumber,
  needObject,
  needOneOf,
  needString,
  needUint32,
  nodeError,
  outOfRange,
  refused,
  textOption,
};
