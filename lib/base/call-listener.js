'use strict';

const { warnOf } = require('./warn-of.js');
const { OwnWeakMap } = require('./primordials.js');

const { apply } = Reflect;
const warned = new OwnWeakMap();

/**
 * Calls a callback of the caller's. An error it throws becomes a warning, once
 * for each function, because it must not stop later listeners or end the
 * process. The error's message is left out, because it may hold values that the
 * worker sent.
 *
 * @param {unknown} callback called if it is a function
 * @param {...unknown} values
 * @returns {unknown} what it returns; undefined where it has thrown
 */
function callListener(callback, ...values) {
  if (typeof callback !== 'function') return undefined;
  try {
    // No spread, because it uses the array iterator, which may have been
    // replaced.
    return apply(callback, undefined, values);
  } catch (error) {
    if (warned.has(callback)) return undefined;
    warned.set(callback, true);
    warnOf(
      'SLOPPY_W_LISTENER_THREW',
      'a listener for what a worker sends has thrown',
      error,
    );
    return undefined;
  }
}

module.exports = { callListener };
