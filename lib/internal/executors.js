'use strict';

const { keepSpares, takeSpare } = require('./spares.js');

// Loaded at first use: a program of threads needs no addon, and the others
// nothing of threads.
const EXECUTORS = {
  isolate: () => require('./native-pool.js').NativePool,
  thread: () => require('./thread-pool.js').ThreadPool,
};

/**
 * @param {object} settings checked by the caller; `runtime` decides
 * @returns {PoolExecutor} what runs the jobs of a pool or worker
 * @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE} isolates without the addon
 */
function createExecutor(settings) {
  const Executor = EXECUTORS[settings.runtime]();
  const spare =
    settings.runtime === 'isolate' ? takeSpare(settings) : undefined;
  return spare ?? new Executor(settings);
}

/** Keeps executors with a worker ahead of the pools; see keepSpares(). */
async function keepExecutors(settings, count) {
  const NativePool = EXECUTORS.isolate();
  await keepSpares(settings, count, (given) => new NativePool(given));
}

/**
 * Loads what createExecutor() needs, so that built-ins that are replaced after
 * the pool was made are of no matter. Without the addon, creating fails later.
 *
 * @param {string} runtime
 */
function prepareExecutor(runtime) {
  EXECUTORS[runtime]();
  if (runtime === 'thread') return;
  try {
    require('./native-host.js').getHost();
  } catch {}
}

module.exports = { createExecutor, keepExecutors, prepareExecutor };
