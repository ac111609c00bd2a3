'use strict';

const { keepExecutors } = require('../executors/index.js');
const { PREWARM } = require('../options/option-sets.js');
const { readPoolPolicy } = require('../options/pool-policy.js');
const { plainOptions } = require('../base/validate.js');

/**
 * Keeps workers ready for later pools: a `WorkerPool.create` with the same
 * options takes one as its first worker, and another is started in its place.
 *
 * @param {object} [options] as for `WorkerPool.create`, without `host`, `init`,
 *   `argv`, `env` and other runtimes
 * @param {number} [options.spares] how many; default 1, 0 ends them
 * @returns {Promise<void>} resolves when they are up; rejects with
 *   SLOPPY_E_WORKER_POOL_UNAVAILABLE when the system has no thread,
 *   SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE without the addon
 */
async function prewarm(options = undefined) {
  const { spares, ...bag } = plainOptions('prewarm', options);
  const count = PREWARM.read('prewarm', { spares }, 'spares');
  const policy = readPoolPolicy('spare', bag, {
    subject: 'prewarm',
    operation: 'prewarm',
  });
  for (const field of ['host', 'init', 'argv', 'env']) {
    if (bag[field] !== undefined && bag[field] !== null) {
      throw new TypeError(`prewarm takes no ${field}: it is a pool's own.`);
    }
  }
  if (policy.runtime !== 'isolate') {
    throw new TypeError('prewarm.runtime must be "isolate".');
  }
  await keepExecutors(policy, count);
}

module.exports = { prewarm };
