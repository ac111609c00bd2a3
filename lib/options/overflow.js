'use strict';

/**
 * @param {string} subject `WorkQueue` or `WorkerPool`, for error texts
 * @param {unknown} overflow
 * @returns {'reject' | 'backpressure'} default `reject`, also for null
 * @throws {TypeError}
 */
function readOverflow(subject, overflow) {
  if (overflow === undefined || overflow === null) return 'reject';
  if (overflow !== 'reject' && overflow !== 'backpressure') {
    throw new TypeError(
      `${subject} overflow must be "reject" or "backpressure".`,
    );
  }
  return overflow;
}

module.exports = { readOverflow };
