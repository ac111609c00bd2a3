'use strict';
// Errors that nobody caught in a worker thread. Listeners of the jobs' code
// take them, as in isolates; those that were there before the pool's (of files
// of `execArgv`) hear them besides.

const text = String;
const { defineProperty } = Object;
const { apply } = Reflect;
const { removeAllListeners } = process;
const { toString: sourceOf } = Function.prototype;

// The listener of Node's module `domain`, which adds it beside each other one.
const DOMAINS = 'domainUncaughtExceptionClear';

const EVENTS = ['uncaughtException', 'unhandledRejection'];
const NONE = [];
// The pool's own listeners, and those that were there before, by event.
const own = { __proto__: null };
const earlier = { __proto__: null };

// By index here and below, because jobs may replace what arrays have.
function has(list, wanted) {
  for (let i = 0; i < list.length; i += 1) {
    if (list[i] === wanted) return true;
  }
  return false;
}

/** @returns {number} listeners of the jobs' code */
function usersListeners(event) {
  const all = process.listeners(event);
  let count = 0;
  for (let i = 0; i < all.length; i += 1) {
    const isForeign =
      all[i] === own[event] ||
      all[i].name === DOMAINS ||
      has(earlier[event] ?? NONE, all[i]);
    if (!isForeign) count += 1;
  }
  return count;
}

function hearAgain() {
  for (let i = 0; i < EVENTS.length; i += 1) {
    const event = EVENTS[i];
    if (!has(process.listeners(event), own[event])) {
      process.on(event, own[event]);
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
      if (!has(process.listeners('removeListener'), hearAgain)) {
        process.on('removeListener', hearAgain);
      }
      hearAgain();
      return process;
    },
  });
}

/** @returns {string} a reason as Node names it in an error of its own */
function detailOf(reason) {
  if (typeof reason === 'function') return apply(sourceOf, reason, []);
  if (typeof reason !== 'object' || reason === null) return text(reason);
  const { constructor: kind } = reason;
  return `#<${typeof kind === 'function' ? kind.name : 'Object'}>`;
}

/**
 * @param {(error: unknown) => void} onError without a listener of the jobs'
 * @param {(reason: unknown, promise: Promise<unknown>) => void} onRejection
 */
function hearUncaught(onError, onRejection) {
  const hear = (event, callback) => {
    earlier[event] = process.listeners(event);
    own[event] = (first, second) => {
      if (usersListeners(event) === 0) callback(first, second);
    };
    process.on(event, own[event]);
  };
  hear(EVENTS[0], onError);
  hear(EVENTS[1], onRejection);
  keepListening();
}

module.exports = { detailOf, hearUncaught, usersListeners };
