'use strict';
// Errors that nobody caught in a worker thread. Listeners of the jobs' code
// take them, as in isolates; those that were there before the pool's (of files
// of `execArgv`) hear them besides.

const { defineProperty } = Object;
const { apply } = Reflect;
const { removeAllListeners } = process;

// The listener of Node's module `domain`, which adds it beside each other one.
const DOMAINS = 'domainUncaughtExceptionClear';

// The pool's own listeners, and those that were there before, by event.
const own = new Map();
const earlier = new Map();

/** @returns {number} listeners of the jobs' code */
function usersListeners(event) {
  let count = 0;
  for (const listener of process.listeners(event)) {
    const isForeign =
      listener === own.get(event) ||
      listener.name === DOMAINS ||
      earlier.get(event)?.includes(listener);
    if (!isForeign) count += 1;
  }
  return count;
}

function hearAgain() {
  for (const [event, listener] of own) {
    if (!process.listeners(event).includes(listener)) {
      process.on(event, listener);
    }
  }
}

// A job must not take them away from the next: Node ends a thread without them.
function keepListening() {
  process.on('removeListener', hearAgain);
  defineProperty(process, 'removeAllListeners', {
    configurable: true,
    writable: true,
    enumerable: false,
    value(...event) {
      apply(removeAllListeners, process, event);
      if (!process.listeners('removeListener').includes(hearAgain)) {
        process.on('removeListener', hearAgain);
      }
      hearAgain();
      return process;
    },
  });
}

/**
 * @param {(error: unknown) => void} onError without a listener of the jobs'
 * @param {(reason: unknown, promise: Promise<unknown>) => void} onRejection
 */
function hearUncaught(onError, onRejection) {
  const hear = (event, callback) => {
    earlier.set(event, process.listeners(event));
    own.set(event, (first, second) => {
      if (usersListeners(event) === 0) callback(first, second);
    });
    process.on(event, own.get(event));
  };
  hear('uncaughtException', onError);
  hear('unhandledRejection', onRejection);
  keepListening();
}

module.exports = { hearUncaught, usersListeners };
