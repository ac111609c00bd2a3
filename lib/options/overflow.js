'use strict';

/**
 * @param {unknown} overflow
 * @returns {'reject' | 'backpressure'} default `reject`, also for null
 * @throws {TypeError}
 */
function readOverflow(overflow) {
  if (overflow === undefined || overflow === null) return 'reject';
  if (overflow !== 'reject' && overflow !== 'backpressure') {
    throw new TypeError(
      'WorkQueue overflow must be "reject" or "backpressure".',
    );
  }
  return overflow;
}

module.exports = { readOverflow };
