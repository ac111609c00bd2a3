'use strict';
// Rebuilds a job's error in the caller's realm, from the description that
// src/runtime/bootstrap.js made in the worker.

const { isNativeError } = require('node:util').types;

const { append, bareList } = require('../base/bare.js');
const { callListener } = require('../base/call-listener.js');
const { withoutCallers } = require('./own-frames.js');
const { mapStack } = require('./source-maps.js');
const { aggregateError } = require('../base/primordials.js');

const { DOMException } = globalThis;
const { defineProperty, hasOwn, keys: keysOf } = Object;

// WebAssembly is missing with --jitless, in Node as in workers.
const { CompileError, LinkError, RuntimeError } = globalThis.WebAssembly ?? {};

const builtIns = {
  __proto__: null,
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
  CompileError,
  LinkError,
  RuntimeError,
};

function hide(object, key, value) {
  defineProperty(object, key, {
    __proto__: null,
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}

function rebuildAll(described, hook) {
  const errors = bareList();
  for (let i = 0; i < described.length; i++) {
    append(errors, rebuildError(described[i], hook));
  }
  return errors;
}

function emptyError({ type, name, message, errors }, hook) {
  if (type === 'AggregateError') {
    return aggregateError(rebuildAll(errors ?? [], hook));
  }
  // Its code follows from its name and message.
  if (type === 'DOMException') return new DOMException(message, name);
  return new (builtIns[type] ?? builtIns.Error)();
}

function stackOf({ stack, mapped }) {
  if (typeof stack !== 'string') return stack;
  const theirs = withoutCallers(stack);
  return mapped === true ? theirs : mapStack(theirs);
}

/**
 * @param {object} given `{ value }` for a thrown value that is no error, `{
 *   opaque }` for one that the codec cannot carry, else `{ type, name, message,
 *   stack, props, mapped?, cause?, errors? }`
 * @param {Function} [hook] the option `rebuildError` of the pool
 * @returns {unknown} the value that the job's code threw, rebuilt
 */
function rebuildError(given, hook = undefined) {
  // Somebody may have put any name into what objects inherit.
  const described = { __proto__: null, ...given };
  if (hasOwn(described, 'value')) return described.value;
  if (described.opaque !== undefined) {
    return new builtIns.Error(
      `the job threw a ${described.opaque} that cannot be sent`,
    );
  }
  // `throw undefined`: the codec drops undefined properties.
  if (described.type === undefined) return undefined;
  const error = emptyError(described, hook);
  if (described.type !== 'DOMException') {
    hide(error, 'message', described.message ?? '');
  }
  if (described.name !== undefined && error.name !== described.name) {
    hide(error, 'name', described.name);
  }
  const stack = stackOf(described);
  // Assigned first, because defining it calls Error.prepareStackTrace in old
  // engines.
  error.stack = stack;
  hide(error, 'stack', stack);
  if (described.cause !== undefined) {
    hide(error, 'cause', rebuildError(described.cause, hook));
  }
  const keys = keysOf(described.props ?? {});
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    // Defined, because keys such as `__proto__` are data.
    defineProperty(error, key, {
      __proto__: null,
      value: described.props[key],
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return hook === undefined ? error : byHook(hook, error);
}

/**
 * Rebuilds an error by the hook, which gets an object with its name, message,
 * stack, cause and own properties. The stack stays the worker's. The error stays
 * what it is where the hook fails or makes no error.
 */
function byHook(hook, error) {
  const { name, message, stack, cause } = error;
  const described = { name, message, stack, cause, ...error };
  const made = callListener(hook, described);
  if (!isNativeError(made)) return error;
  hide(made, 'stack', stack);
  if (cause !== undefined && made.cause === undefined) {
    hide(made, 'cause', cause);
  }
  return made;
}

module.exports = { rebuildError };
