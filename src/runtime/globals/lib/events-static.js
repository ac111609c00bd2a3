'use strict';

const { nodeError } = require('./node-error.js');

function abortError(signal) {
  const error = nodeError(Error, 'ABORT_ERR', 'The operation was aborted');
  error.name = 'AbortError';
  error.cause = signal.reason;
  return error;
}

const isTarget = (value) => typeof value?.addEventListener === 'function';

function listen(emitter, type, listener) {
  if (typeof emitter?.on === 'function') emitter.on(type, listener);
  else emitter.addEventListener(type, listener);
}

function ignore(emitter, type, listener) {
  if (typeof emitter?.removeListener === 'function') {
    emitter.removeListener(type, listener);
  } else {
    emitter.removeEventListener(type, listener);
  }
}

/** The static functions that Node has on EventEmitter. */
function createStatics(EventEmitter, invalidArgument) {
  function check(emitter) {
    if (typeof emitter?.on === 'function' || isTarget(emitter)) return;
    throw invalidArgument(
      'emitter',
      'an instance of EventEmitter or EventTarget',
      emitter,
    );
  }

  // Rejects at 'error', unless 'error' is what is waited for.
  function once(emitter, type, { signal } = {}) {
    check(emitter);
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortError(signal));
        return;
      }
      const watchError = type !== 'error' && typeof emitter.on === 'function';
      const settle = (action) => {
        ignore(emitter, type, onEvent);
        if (watchError) ignore(emitter, 'error', onError);
        signal?.removeEventListener('abort', onAbort);
        action();
      };
      const onEvent = (...args) => settle(() => resolve(args));
      const onError = (error) => settle(() => reject(error));
      const onAbort = () => settle(() => reject(abortError(signal)));
      listen(emitter, type, onEvent);
      if (watchError) listen(emitter, 'error', onError);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  function on(emitter, type, options = {}) {
    check(emitter);
    const { signal, close = [] } = options;
    if (signal?.aborted) throw abortError(signal);
    const queue = [];
    const waiting = [];
    let failure;
    let finished = false;

    const onEvent = (...args) => {
      if (waiting.length > 0) {
        waiting.shift().resolve({ value: args, done: false });
      } else {
        queue.push(args);
      }
    };
    const fail = (error) => {
      if (waiting.length > 0) waiting.shift().reject(error);
      else failure = { error };
      stop();
    };
    const onAbort = () => fail(abortError(signal));
    const watchError = type !== 'error' && typeof emitter.on === 'function';

    function stop() {
      finished = true;
      ignore(emitter, type, onEvent);
      if (watchError) ignore(emitter, 'error', fail);
      for (const name of close) ignore(emitter, name, stop);
      signal?.removeEventListener('abort', onAbort);
      for (const { resolve } of waiting.splice(0)) {
        resolve({ value: undefined, done: true });
      }
      return Promise.resolve({ value: undefined, done: true });
    }

    listen(emitter, type, onEvent);
    if (watchError) listen(emitter, 'error', fail);
    for (const name of close) listen(emitter, name, stop);
    signal?.addEventListener('abort', onAbort, { once: true });

    return {
      next() {
        if (queue.length > 0) {
          return Promise.resolve({ value: queue.shift(), done: false });
        }
        if (failure) {
          const { error } = failure;
          failure = undefined;
          return Promise.reject(error);
        }
        if (finished) return Promise.resolve({ value: undefined, done: true });
        return new Promise((resolve, reject) => {
          waiting.push({ resolve, reject });
        });
      },
      return: stop,
      throw(error) {
        fail(error);
        return Promise.resolve({ value: undefined, done: true });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  function addAbortListener(signal, listener) {
    let remove = () => {};
    if (signal.aborted) {
      require('sw:timers').queueMicrotask(() => listener());
    } else {
      signal.addEventListener('abort', listener, { once: true });
      remove = () => signal.removeEventListener('abort', listener);
    }
    return Symbol.dispose ? { [Symbol.dispose]: remove } : {};
  }

  return {
    addAbortListener,
    getEventListeners: (emitter, type) => emitter.listeners(type),
    getMaxListeners: (emitter) => emitter.getMaxListeners(),
    on,
    once,
    setMaxListeners(count = EventEmitter.defaultMaxListeners, ...emitters) {
      if (emitters.length === 0) EventEmitter.defaultMaxListeners = count;
      for (const emitter of emitters) emitter.setMaxListeners?.(count);
    },
  };
}

module.exports = { createStatics };
