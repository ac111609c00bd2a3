'use strict';

const { keepExecutors } = require('../executors/index.js');
const { readPoolPolicy } = require('../options/pool-policy.js');
const { plainOptions } = require('../base/validate.js');

const MAX_SPARES = 1024;

function readSpares(value) {
  if (value === undefined) return 1;
  if (Number.isInteger(value) && value >= 0 && value <= MAX_SPARES) {
    return value;
  }
  throw new TypeError(
    `prewarm.spares must be an integer from 0 to ${MAX_SPARES}.`,
  );
}

/**
 * Keeps workers ready for later pools: a `WorkerPool.create` with the same
 * options takes one as its first worker, and another is started in its place.
 *
 * @param {object} [options] as for `WorkerPool.create`, without `host`, `init`
 *   and `runtime: 'thread'`
 * @param {number} [options.spares] how many; default 1, 0 ends them
 * @returns {Promise<void>} resolves when they are up; rejects with
 *   SLOPPY_E_WORKER_POOL_UNAVAILABLE when the system has no thread,
 *   SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE without the addon
 */
async function prewarm(options = undefined) {
  const { spares, ...bag } = plainOptions('prewarm', options);
  const count = readSpares(spares);
  const policy = readPoolPolicy('spare', bag, {
    subject: 'prewarm',
    operation: 'prewarm',
  });
  for (const field of ['host', 'init']) {
    if (policy[field] !== undefined) {
      throw new TypeError(`prewarm takes no ${field}: it is a pool's own.`);
    }
  }
  if (policy.runtime !== 'isolate') {
    throw new TypeError('prewarm.runtime must be "isolate".');
  }
  await keepExecutors(policy, count);
}

module.exports = { prewarm };
