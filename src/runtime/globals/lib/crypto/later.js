'use strict';

// Callbacks and promises of functions that do their work at once: OpenSSL runs
// in the worker's own thread.

const { needFunction } = require('./errors.js');

const later = (callback, ...args) =>
  require('sw:timers').setImmediate(callback, ...args);

/** Calls back in a later turn with what `work()` gives or throws. */
function finishLater(callback, work) {
  needFunction(callback);
  let result;
  try {
    result = work();
  } catch (error) {
    later(callback, error);
    return;
  }
  later(callback, null, result);
}

module.exports = { finishLater, later };
