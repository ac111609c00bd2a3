'use strict';

const { isPromise } = require('node:util').types;

const { warnOf } = require('./warn-of.js');
const { OwnWeakMap, apply, thenOf } = require('./primordials.js');

const warned = new OwnWeakMap();

/**
 * An error of a listener becomes a warning, once for each function, because it
 * must not stop later listeners or end the process. The error's message is left
 * out, because it may hold values that a worker sent.
 *
 * @param {Function} listener
 * @param {unknown} error that it threw
 */
function listenerThrew(listener, error) {
  if (warned.has(listener)) return;
  warned.set(listener, true);
  warnOf('SLOPPY_W_LISTENER_THREW', 'a listener has thrown', error);
}

// `given` is the caller's own function, which `callback` may wrap.
function call(callback, self, values, given) {
  try {
    // No spread, because it uses the array iterator, which may have been
    // replaced.
    const returned = apply(callback, self, values);
    if (isPromise(returned)) {
      thenOf(returned, undefined, (error) => listenerThrew(given, error));
    }
    return returned;
  } catch (error) {
    listenerThrew(given, error);
    return undefined;
  }
}

/**
 * Calls a listener or another callback of the caller's: the one way to do it.
 * An error that it throws is a warning, and so is the rejection of a promise
 * that it returns.
 *
 * @param {unknown} callback called if it is a function
 * @param {...unknown} values
 * @returns {unknown} what it returns; undefined where it has thrown
 */
function callListener(callback, ...values) {
  return typeof callback === 'function'
    ? call(callback, undefined, values, callback)
    : undefined;
}

/**
 * The same for all listeners to an event, in place of `emitter.emit`.
 *
 * @param {EventEmitter} emitter
 * @param {string} event
 * @param {unknown[]} values
 * @param {object} [self] `this` of the listeners
 * @returns {boolean} whether there were any
 */
function callListeners(emitter, event, values, self = undefined) {
  // A copy, because listeners may add and remove others.
  const listeners = emitter.rawListeners(event);
  for (let i = 0; i < listeners.length; i++) {
    const { listener: given = listeners[i] } = listeners[i];
    call(listeners[i], self, values, given);
  }
  return listeners.length > 0;
}

module.exports = { callListener, callListeners };
