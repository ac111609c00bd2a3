'use strict';

const { warnOf } = require('./warn-of.js');
const { OwnWeakMap } = require('./primordials.js');

const { apply } = Reflect;
const warned = new OwnWeakMap();

/**
 * Calls back the caller's code, whose failure must neither reach whoever comes
 * after it nor end the process: it is a warning, once for each function. The
 * error's message is left out, because it may hold what the worker sent.
 *
 * @param {unknown} callback called if it is a function
 * @param {...unknown} values
 */
function callListener(callback, ...values) {
  if (typeof callback !== 'function') return;
  try {
    // Not by spreading, which asks an iterator that anyone can replace.
    apply(callback, undefined, values);
  } catch (error) {
    if (warned.has(callback)) return;
    warned.set(callback, true);
    warnOf(
      'SLOPPY_W_LISTENER_THREW',
      'a listener for what a worker sends has thrown',
      error,
    );
  }
}

module.exports = { callListener };
