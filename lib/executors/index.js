'use strict';

const { keepSpares, takeSpare } = require('./isolate/spares.js');
const { tryOut } = require('./isolate/warm-up.js');

// Loaded at first use: a program of threads needs no addon, and the others
// nothing of threads. Kept here: asking `require` again costs a pool that
// takes a spare a tenth of its start.
const EXECUTORS = {
  isolate: () => require('./isolate/isolate-pool.js').NativePool,
  thread: () => require('./thread/thread-pool.js').ThreadPool,
};
const loaded = { isolate: null, thread: null };

const executorOf = (runtime) => {
  loaded[runtime] ??= EXECUTORS[runtime]();
  return loaded[runtime];
};
let hasHost = false;

/**
 * @param {object} settings checked by the caller; `runtime` decides
 * @param {boolean} [starts] its first worker, at once
 * @returns {PoolExecutor} what runs the jobs of a pool or worker
 * @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE} isolates without the addon
 */
function createExecutor(settings, starts = false) {
  const spare =
    settings.runtime === 'isolate' ? takeSpare(settings) : undefined;
  if (spare !== undefined) return spare;
  const Executor = executorOf(settings.runtime);
  return new Executor(settings, starts);
}

/** Keeps executors with a worker ahead of the pools; see keepSpares(). */
async function keepExecutors(settings, count) {
  const NativePool = executorOf('isolate');
  const make = (given) => new NativePool(given);
  await keepSpares(settings, count, make, tryOut);
}

/**
 * Loads what createExecutor() needs, so that built-ins that are replaced after
 * the pool was made are of no matter. Without the addon, creating fails later.
 *
 * @param {string} runtime
 */
function prepareExecutor(runtime) {
  executorOf(runtime);
  if (runtime === 'thread' || hasHost) return;
  try {
    requireAddon();
    hasHost = true;
  } catch {}
}

/** @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE} isolates are not to be had */
function requireAddon() {
  require('./isolate/host.js').getHost();
}

module.exports = {
  createExecutor,
  keepExecutors,
  prepareExecutor,
  requireAddon,
};
