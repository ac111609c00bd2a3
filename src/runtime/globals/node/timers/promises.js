'use strict';

const { clearImmediate, clearInterval, clearTimeout, ...timers } =
  require('sw:timers');

const { nodeError } = require('../../lib/node-error.js');

function abortError(signal) {
  const error = nodeError(Error, 'ABORT_ERR', 'The operation was aborted');
  error.name = 'AbortError';
  error.cause = signal.reason;
  return error;
}

// Waits with `start`, and gives up with `stop` when the signal fires.
function wait(start, stop, { signal, ref = true } = {}) {
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

async function setTimeout(delay, value, options) {
  const start = (done) => timers.setTimeout(done, delay);
  await wait(start, clearTimeout, options);
  return value;
}

async function setImmediate(value, options) {
  await wait((done) => timers.setImmediate(done), clearImmediate, options);
  return value;
}

async function* setInterval(delay, value, options = {}) {
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

const scheduler = {
  wait: (delay, options) => setTimeout(delay, undefined, options),
  yield: () => setImmediate(),
};

module.exports = { scheduler, setImmediate, setInterval, setTimeout };
