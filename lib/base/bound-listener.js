'use strict';

const { AsyncResource } = require('node:async_hooks');

/**
 * Binds a listener to the current AsyncLocalStorage context.
 *
 * @param {Function} listener
 * @returns {Function} `off` of an EventEmitter finds it by `listener`
 */
function boundListener(listener) {
  if (typeof listener !== 'function') return listener;
  const bound = AsyncResource.bind(listener);
  bound.listener = listener;
  return bound;
}

/** The same as `emitter.once`, with the AsyncLocalStorage of now. */
function listenOnce(emitter, event, listener) {
  const bound = boundListener(listener);
  if (bound === listener) {
    emitter.once(event, listener);
    return;
  }
  function once(...args) {
    emitter.off(event, once);
    return bound.apply(this, args);
  }
  once.listener = listener;
  emitter.on(event, once);
}

module.exports = { boundListener, listenOnce };
