'use strict';

/**
 * A built-in error with Node's `code`, shown as Node shows it.
 *
 * @param {ErrorConstructor} Base
 * @param {string} code
 * @param {string} message
 */
function nodeError(Base, code, message) {
  const error = new Base(message);
  Error.captureStackTrace(error, nodeError);
  const { stack } = error;
  const start = `${error.name}: `;
  if (stack.startsWith(start)) {
    const rest = stack.slice(start.length);
    Object.defineProperty(error, 'stack', {
      value: `${error.name} [${code}]: ${rest}`,
      writable: true,
      configurable: true,
    });
  }
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

function shown(value) {
  if (typeof value === 'string') return `'${value}'`;
  return typeof value === 'bigint' ? `${value}n` : String(value);
}

function received(value) {
  if (value === null || value === undefined) return `Received ${value}`;
  if (typeof value === 'function') return `Received function ${value.name}`;
  if (typeof value === 'object') {
    const name = value.constructor?.name;
    return name ? `Received an instance of ${name}` : 'Received an object';
  }
  const text = shown(value);
  const short = text.length > 28 ? `${text.slice(0, 25)}...` : text;
  return `Received type ${typeof value} (${short})`;
}

/** The TypeError for a wrong argument. */
function invalidArgument(name, expected, value) {
  return nodeError(
    TypeError,
    'ERR_INVALID_ARG_TYPE',
    `The "${name}" argument must be ${expected}. ${received(value)}`,
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

module.exports = {
  invalidArgument,
  nativeError,
  needFunction,
  nodeError,
  outOfRange,
};
