'use strict';

const { OwnWeakMap } = require('./primordials.js');

const { apply } = Reflect;
const warned = new OwnWeakMap();

/** @returns {string | undefined} where it was thrown, without its message */
function framesOf(error) {
  try {
    const at = error.stack.search(/^ +at /m);
    return at < 0 ? undefined : error.stack.slice(at);
  } catch {
    // Thrown values can be anything.
    return undefined;
  }
}

function warn(error) {
  try {
    process.emitWarning('a listener for what a worker sends has thrown', {
      type: 'SloppyWorkersWarning',
      code: 'SLOPPY_W_LISTENER_THREW',
      detail: framesOf(error),
    });
  } catch {
    // Who replaced it gets no warnings.
  }
}

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
    warn(error);
  }
}

module.exports = { callListener };
