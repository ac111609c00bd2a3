'use strict';

// Node's errors and argument checks, for all of crypto.

const { nodeError } = require('../node-error.js');

const shown = (value, options) =>
  require('node:util').inspect(value, { colors: false, ...options });

function received(value) {
  if (value === null || value === undefined) return ` Received ${value}`;
  if (typeof value === 'function') return ` Received function ${value.name}`;
  if (typeof value === 'object') {
    const name = value.constructor?.name;
    if (name) return ` Received an instance of ${name}`;
    return ` Received ${shown(value, { depth: -1 })}`;
  }
  const text = shown(value);
  const short = text.length > 28 ? `${text.slice(0, 25)}...` : text;
  return ` Received type ${typeof value} (${short})`;
}

const listed = (names, word) => {
  if (names.length < 3) return names.join(` ${word} `);
  return `${names.slice(0, -1).join(', ')}, ${word} ${names.at(-1)}`;
};

const PRIMITIVES = [
  'string',
  'function',
  'number',
  'object',
  'Function',
  'Object',
  'boolean',
  'bigint',
  'symbol',
];

/** @param {string | string[]} expected names of types and classes */
function invalidType(name, expected, value) {
  const all = [expected].flat();
  const types = [];
  const classes = [];
  const others = [];
  for (const each of all) {
    if (PRIMITIVES.includes(each)) types.push(each.toLowerCase());
    else if (/^([A-Z][a-z0-9]*)+$/.test(each)) classes.push(each);
    else others.push(each);
  }
  // Node says so when there are classes as well.
  if (classes.length > 0 && types.includes('object')) {
    types.splice(types.indexOf('object'), 1);
    classes.push('Object');
  }
  const parts = [];
  if (types.length > 0) {
    const one = types.length > 1 ? 'one of type ' : 'of type ';
    parts.push(`${one}${listed(types, 'or')}`);
  }
  if (classes.length > 0) {
    parts.push(`an instance of ${listed(classes, 'or')}`);
  }
  if (others.length > 1) parts.push(`one of ${listed(others, 'or')}`);
  else if (others.length === 1) {
    const [only] = others;
    parts.push(only.toLowerCase() === only ? only : `an ${only}`);
  }
  const what = name.includes('.') ? 'property' : 'argument';
  const subject = name.endsWith(' argument') ? name : `"${name}" ${what}`;
  return nodeError(
    TypeError,
    'ERR_INVALID_ARG_TYPE',
    `The ${subject} must be ${parts.join(' or ')}.${received(value)}`,
  );
}

function invalidValue(name, value, reason = 'is invalid') {
  let text = shown(value);
  if (text.length > 128) text = `${text.slice(0, 128)}...`;
  const what = name.includes('.') ? 'property' : 'argument';
  return nodeError(
    TypeError,
    'ERR_INVALID_ARG_VALUE',
    `The ${what} '${name}' ${reason}. Received ${text}`,
  );
}

const separated = (text) => {
  const [sign, digits] = text.startsWith('-')
    ? ['-', text.slice(1)]
    : ['', text];
  return sign + digits.replace(/(?<=.)(?=(?:.{3})+$)/g, '_');
};

function outOfRange(name, range, value) {
  let text;
  if (Number.isInteger(value) && Math.abs(value) > 2 ** 32) {
    text = separated(String(value));
  } else if (typeof value === 'bigint') {
    const large = value > 2n ** 32n || value < -(2n ** 32n);
    text = `${large ? separated(String(value)) : value}n`;
  } else {
    text = shown(value);
  }
  return nodeError(
    RangeError,
    'ERR_OUT_OF_RANGE',
    `The value of "${name}" is out of range. It must be ${range}. Received ${text}`,
  );
}

function needString(value, name) {
  if (typeof value !== 'string') throw invalidType(name, 'string', value);
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
};
