'use strict';

/**
 * Checked by shape, because `WorkerPool` is no class, and another copy of the
 * package may have made the pool.
 *
 * @param {unknown} value
 * @returns {boolean}
 */
const isPool = (value) =>
  typeof value === 'object' &&
  value !== null &&
  value.__sloppyWorkerResource === 'workerPool' &&
  typeof value.invoke === 'function';

module.exports = { isPool };
