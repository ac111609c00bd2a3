'use strict';

/* global host */
// Stores that V8 carries along with asynchronous work: a chain of frames, each
// the store of one AsyncLocalStorage (../node/async_hooks.js), and at its end the
// job whose code this is.

const jobIn = (frame) =>
  typeof frame === 'object' ? jobIn(frame.rest) : frame;

function over(frame, job) {
  if (typeof frame !== 'object') return job;
  const rest = over(frame.rest, job);
  if (rest === frame.rest) return frame;
  return new frame.constructor(frame.owner, frame.store, rest);
}

const storesOfNow = () => host.getContinuation?.();

/** Calls back with the stores of then, for the job of now. */
function withStores(stores, callback) {
  const now = host.getContinuation?.();
  if (now === stores || host.setContinuation === undefined) return callback();
  host.setContinuation(over(stores, jobIn(now)));
  try {
    return callback();
  } finally {
    host.setContinuation(now);
  }
}

module.exports = { storesOfNow, withStores };
