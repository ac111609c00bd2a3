'use strict';

const BUILT_IN = {
  fixed: (delay) => delay,
  exponential: (delay, attemptsMade) =>
    Math.round(2 ** (attemptsMade - 1) * delay),
};

/**
 * @param {object | undefined} backoff `{ type, delay, jitter }`
 * @param {number} attemptsMade with the one that has just failed
 * @param {Function} [strategy] the Worker's own, for other types
 * @returns {number} milliseconds; negative: no other attempt
 */
async function backoffOf(backoff, attemptsMade, error, job, strategy) {
  if (!backoff) return 0;
  const { type, delay = 0, jitter = 0 } = backoff;
  if (!Object.hasOwn(BUILT_IN, type)) {
    if (strategy) return strategy(attemptsMade, type, error, job);
    throw new Error(
      `Unknown backoff strategy ${type}: give the Worker settings.backoffStrategy.`,
    );
  }
  const longest = BUILT_IN[type](delay, attemptsMade);
  return Math.floor(longest * (1 - jitter + Math.random() * jitter));
}

module.exports = { backoffOf };
