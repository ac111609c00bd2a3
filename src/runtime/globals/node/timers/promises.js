'use strict';

const { clearImmediate, clearInterval, clearTimeout, ...timers } =
  require('sw:timers');

const { nodeError } = require('../../lib/node-error.js');

const { moduleOf: library } = require('sw:library');

function abortError(signal) {
  const { AbortError } = library('internal/errors');
  return new AbortError(undefined, { cause: signal.reason });
}

/** Refuses what Node refuses, in its order. */
function check(delay, options) {
  const {
    validateAbortSignal,
    validateBoolean,
    validateNumber,
    validateObject,
  } = library('internal/validators');
  if (delay !== undefined) validateNumber(delay, 'delay');
  validateObject(options, 'options');
  const { signal, ref } = options;
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  if (ref !== undefined) validateBoolean(ref, 'options.ref');
}

function onAbort(signal, listener) {
  const { kResistStopPropagation } = library('internal/event_target');
  const options = { __proto__: null, once: true };
  if (kResistStopPropagation) options[kResistStopPropagation] = true;
  signal.addEventListener('abort', listener, options);
}

// Takes as many microtasks as Node's, because their order is seen.
const afterwards = (promise, work) =>
  new Promise((resolve, reject) => {
    new Promise((done, failed) => promise.then(done, failed))
      .finally(work)
      .then(resolve, reject);
  });

/** A promise that `start` settles, and the signal of `options` rejects. */
function wait(start, stop, delay, options) {
  try {
    check(delay, options);
  } catch (error) {
    return Promise.reject(error);
  }
  const { signal, ref = true } = options;
  if (signal?.aborted) return Promise.reject(abortError(signal));
  let give;
  const promise = new Promise((resolve, reject) => {
    const handle = start(resolve);
    if (!ref) handle.unref();
    if (!signal) return;
    give = () => {
      stop(handle);
      reject(abortError(signal));
    };
    onAbort(signal, give);
  });
  if (give === undefined) return promise;
  return afterwards(promise, () => signal.removeEventListener('abort', give));
}

function setTimeout(delay, value, options = {}) {
  const start = (done) => timers.setTimeout(done, delay, value);
  return wait(start, clearTimeout, delay, options);
}

function setImmediate(value, options = {}) {
  const start = (done) => timers.setImmediate(done, value);
  return wait(start, clearImmediate, undefined, options);
}

async function* setInterval(delay, value, options = {}) {
  check(delay, options);
  const { signal, ref = true } = options;
  if (signal?.aborted) throw abortError(signal);
  let due = 0;
  let wake;
  const wakeWith = (given) => {
    wake?.(given);
    wake = undefined;
  };
  const handle = timers.setInterval(() => {
    due += 1;
    wakeWith();
  }, delay);
  if (!ref) handle.unref();
  const stop = () => {
    clearInterval(handle);
    if (wake) wakeWith(Promise.reject(abortError(signal)));
  };
  if (signal) onAbort(signal, stop);
  try {
    while (!signal?.aborted) {
      if (due === 0) {
        await new Promise((resolve) => {
          wake = resolve;
        });
      }
      for (; due > 0; due -= 1) yield value;
    }
    throw abortError(signal);
  } finally {
    clearInterval(handle);
    signal?.removeEventListener('abort', stop);
  }
}

const KEY = Symbol('construct');
const kScheduler = Symbol('kScheduler');

class Scheduler {
  [kScheduler] = true;

  constructor(key) {
    if (key !== KEY) {
      throw nodeError(
        TypeError,
        'ERR_ILLEGAL_CONSTRUCTOR',
        'Illegal constructor',
      );
    }
  }

  static need(value) {
    if (value instanceof Scheduler) return;
    throw nodeError(
      TypeError,
      'ERR_INVALID_THIS',
      'Value of "this" must be of type Scheduler',
    );
  }

  yield() {
    need(this);
    return setImmediate();
  }

  wait(delay, options = undefined) {
    need(this);
    return setTimeout(delay, undefined, options);
  }
}
const { need } = Scheduler;
delete Scheduler.need;
const scheduler = new Scheduler(KEY);

module.exports = { setTimeout, setImmediate, setInterval, scheduler };
