'use strict';

const { refuseMistaken } = require('../../options/mistaken-options.js');
const { RETRY } = require('../../options/option-sets.js');
const { plainOptions } = require('../../base/validate.js');
const { ceil, freeze, isFiniteNumber } = require('../../base/primordials.js');

const BACKOFF_TEXT =
  'retry backoff must be a non-negative millisecond value or function.';

const isDelay = (value) => isFiniteNumber(value) && value >= 0;

/**
 * Reads the retry policy of a queue. Keys of `options.retry` win over the same
 * keys on `options` itself.
 *
 * @param {Readonly<Record<string, unknown>>} options of `WorkQueue.create`
 * @returns {Readonly<{
 *   maxAttempts: number,
 *   backoffMs: number | ((attempt: number, error: unknown) => number),
 * }>} defaults: 1 attempt, 0 ms
 * @throws {TypeError}
 */
function readRetry(options) {
  const retry = plainOptions('WorkQueue.create retry', options.retry);
  refuseMistaken('WorkQueue.create retry', retry, RETRY.names);
  const { maxAttempts = options.maxAttempts } = retry;
  const attempts = RETRY.read('retry', { maxAttempts }, 'maxAttempts');
  const { backoffMs: fallbackMs = 0 } = options;
  const { backoffMs = fallbackMs } = retry;
  if (!isDelay(backoffMs) && typeof backoffMs !== 'function') {
    throw new TypeError(BACKOFF_TEXT);
  }
  return freeze({ maxAttempts: attempts, backoffMs });
}

/**
 * Milliseconds to wait after a failed attempt.
 *
 * @param {{ backoffMs: number | Function }} retry from `readRetry`
 * @param {number} attempt number of the failed one, from 1
 * @param {unknown} error what it failed with
 * @returns {number} whole milliseconds
 * @throws {TypeError} if a backoff function returns anything but a delay
 * @throws whatever a backoff function throws
 */
function backoffDelay({ backoffMs }, attempt, error) {
  const delayMs =
    typeof backoffMs === 'function' ? backoffMs(attempt, error) : backoffMs;
  if (!isDelay(delayMs)) throw new TypeError(BACKOFF_TEXT);
  return ceil(delayMs);
}

module.exports = { backoffDelay, readRetry };
