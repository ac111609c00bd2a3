'use strict';

const { now } = require('../base/primordials.js');
const { schedule } = require('./timer-heap.js');

/**
 * Waits for a promise, but no longer than `timeoutMs`. A later result is
 * dropped. Keeps the process alive meanwhile, so that the forced cleanup after
 * it runs.
 *
 * @template T
 * @param {PromiseLike<T> | T} work
 * @param {number} timeoutMs
 * @returns {Promise<{ timedOut: boolean, value: T | undefined }>} rejects like
 *   the work
 */
async function waitAtMost(work, timeoutMs) {
  let timer = null;
  const limit = new Promise((resolve) => {
    if (timeoutMs === Infinity) return;
    const giveUp = () => resolve({ timedOut: true, value: undefined });
    timer = schedule(now() + timeoutMs, giveUp);
  });
  const done = Promise.resolve(work).then((value) => ({
    timedOut: false,
    value,
  }));
  try {
    return await Promise.race([done, limit]);
  } finally {
    timer?.cancel();
  }
}

module.exports = { waitAtMost };
