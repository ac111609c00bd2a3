'use strict';

const classes = { __proto__: null };

// Node puts these messages together, so they come after the error's code.
const PUT_TOGETHER = [
  'ERR_INVALID_ARG_TYPE',
  'ERR_INVALID_ARG_VALUE',
  'ERR_MISSING_ARGS',
  'ERR_OUT_OF_RANGE',
];
const itself = (message) => message;

// Node's own kind of class for a code, but for any message. Node's library
// keeps its own, because a code that is an object has messages of its own.
function classOf(Base, code) {
  const key = `${Base.name} ${code}`;
  if (classes[key] === undefined) {
    const { codes, E } = require('sw:library').moduleOf('internal/errors');
    const own = codes[code];
    E(Object(code), PUT_TOGETHER.includes(code) ? itself : '%s', Base);
    classes[key] = codes[code];
    codes[code] = own;
  }
  return classes[key];
}

/**
 * A built-in error with Node's `code`, as Node's library makes it.
 *
 * @param {ErrorConstructor} Base
 * @param {string} code
 * @param {string} message
 */
function nodeError(Base, code, message) {
  const error = new (classOf(Base, code))(message);
  error.code = code;
  return error;
}

/** The same as Node's C++ throws it: its stack does not show the code. */
function nativeError(Base, code, message) {
  const error = new Base(message);
  Error.captureStackTrace(error, nativeError);
  error.code = code;
  return error;
}

// A text is shortened before it is quoted.
function quoted(text) {
  const short = text.length > 28 ? `${text.slice(0, 25)}...` : text;
  return short.includes("'") ? JSON.stringify(short) : `'${short}'`;
}

function shown(value) {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'bigint') return `${value}n`;
  return Object.is(value, -0) ? '-0' : String(value);
}

function received(value) {
  if (value === null || value === undefined) return `Received ${value}`;
  if (typeof value === 'function') return `Received function ${value.name}`;
  if (typeof value !== 'object') {
    return `Received type ${typeof value} (${shown(value)})`;
  }
  const name = value.constructor?.name;
  if (name) return `Received an instance of ${name}`;
  const { inspect } = require('sw:library').moduleOf('internal/util/inspect');
  return `Received ${inspect(value, { depth: -1 })}`;
}

/** The TypeError for a wrong argument. */
function invalidArgument(name, expected, value) {
  const kind = name.includes('.') ? 'property' : 'argument';
  return nodeError(
    TypeError,
    'ERR_INVALID_ARG_TYPE',
    `The "${name}" ${kind} must be ${expected}. ${received(value)}`,
  );
}

/** The RangeError for an argument outside its range. */
function outOfRange(name, expected, value) {
  return nodeError(
    RangeError,
    'ERR_OUT_OF_RANGE',
    `The value of "${name}" is out of range. It must be ${expected}. Received ${String(value)}`,
  );
}

function needFunction(value, name = 'callback') {
  if (typeof value !== 'function') {
    throw invalidArgument(name, 'of type function', value);
  }
}

const needsNew = () =>
  nativeError(
    TypeError,
    'ERR_CONSTRUCT_CALL_REQUIRED',
    'Cannot call constructor without `new`',
  );

module.exports = {
  needsNew,
  invalidArgument,
  nativeError,
  needFunction,
  nodeError,
  outOfRange,
};
