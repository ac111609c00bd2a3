'use strict';

const { clearImmediate, clearInterval, clearTimeout, ...timers } =
  require('sw:timers');

const { nodeError } = require('../../lib/node-error.js');

const { moduleOf: library } = require('sw:library');

function abortError(signal) {
  const { AbortError } = library('internal/errors');
  return new AbortError(undefined, { cause: signal.reason });
}

function needOptions(options) {
  const { validateAbortSignal, validateBoolean, validateObject } = library(
    'internal/validators',
  );
  validateObject(options, 'options');
  const { signal, ref } = options;
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  if (ref !== undefined) validateBoolean(ref, 'options.ref');
}

function needDelay(delay) {
  if (delay === undefined) return;
  library('internal/validators').validateNumber(delay, 'delay');
}

// Waits with `start`, and gives up with `stop` when the signal fires.
async function wait(start, stop, options = undefined) {
  if (options !== undefined) needOptions(options);
  const { signal, ref = true } = options ?? {};
  if (signal?.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      stop(handle);
      reject(abortError(signal));
    };
    const handle = start(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    if (!ref) handle.unref();
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

// As in Node, neither is an async function by its kind.
function setTimeout(delay, value, options = undefined) {
  return (async () => {
    needDelay(delay);
    const start = (done) => timers.setTimeout(done, delay);
    await wait(start, clearTimeout, options);
    return value;
  })();
}

function setImmediate(value, options = undefined) {
  return (async () => {
    await wait((done) => timers.setImmediate(done), clearImmediate, options);
    return value;
  })();
}

async function* setInterval(delay, value, options = {}) {
  needOptions(options);
  needDelay(delay);
  const { signal, ref = true } = options;
  if (signal?.aborted) throw abortError(signal);
  let due = 0;
  let wake;
  const handle = timers.setInterval(() => {
    due += 1;
    wake?.();
  }, delay);
  if (!ref) handle.unref();
  const onAbort = () => wake?.();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      if (due === 0 && !signal?.aborted) {
        await new Promise((resolve) => {
          wake = resolve;
        });
      }
      for (; due > 0; due -= 1) yield value;
      if (signal?.aborted) throw abortError(signal);
    }
  } finally {
    clearInterval(handle);
    signal?.removeEventListener('abort', onAbort);
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

  static check(value) {
    if (value instanceof Scheduler) return;
    throw nodeError(
      TypeError,
      'ERR_INVALID_THIS',
      'Value of "this" must be of type Scheduler',
    );
  }

  yield() {
    check(this);
    return setImmediate();
  }

  wait(delay, options = undefined) {
    check(this);
    return setTimeout(delay, undefined, options);
  }
}
const { check } = Scheduler;
delete Scheduler.check;
const scheduler = new Scheduler(KEY);

module.exports = { setTimeout, setImmediate, setInterval, scheduler };
