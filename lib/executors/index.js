'use strict';

const { keepSpares, takeSpare } = require('./isolate/spares.js');
const { warmUp } = require('./isolate/warm-up.js');

// Loaded at first use, because a program with threads needs no addon, and the
// others need nothing of threads or processes. Kept here, because `require` would cost a
// pool that takes a spare a tenth of its start.
const EXECUTORS = {
  isolate: () => require('./isolate/isolate-pool.js').NativePool,
  process: () => require('./process/process-pool.js').ProcessPool,
  sandbox: () => require('./sandbox/sandbox-pool.js').SandboxPool,
  thread: () => require('./thread/thread-pool.js').ThreadPool,
};
const loaded = { isolate: null, process: null, sandbox: null, thread: null };

const executorOf = (runtime) => {
  loaded[runtime] ??= EXECUTORS[runtime]();
  return loaded[runtime];
};
let hasHost = false;

/**
 * @param {object} settings checked by the caller; `runtime` decides
 * @param {boolean} [starts] whether its first worker starts at once
 * @returns {PoolExecutor} runs the jobs of a pool or worker
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
  await keepSpares(settings, count, make, warmUp);
}

/**
 * Loads the modules of createExecutor() early, so that they capture built-ins
 * before these are replaced. Without the addon, creating fails later.
 *
 * @param {string} runtime
 */
function prepareExecutor(runtime) {
  executorOf(runtime);
  if (runtime !== 'isolate' || hasHost) return;
  try {
    requireAddon();
    hasHost = true;
  } catch {}
}

/** @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE} isolates are unavailable */
function requireAddon() {
  require('./isolate/host.js').getHost();
}

module.exports = {
  createExecutor,
  keepExecutors,
  prepareExecutor,
  requireAddon,
};
