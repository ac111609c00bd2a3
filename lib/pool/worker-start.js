'use strict';
// Starts a Worker before its handle exists: checks its file, starts its thread,
// runs its module's top level.

const { basename } = require('node:path');

const {
  SloppyWorkerError,
  workerError,
} = require('../protocol/sloppy-worker-error.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { fileStatus, notRegular } = require('../base/files.js');
const { startupFailed } = require('../entries/module-path.js');
const { NO_OPERATION } = require('../admission/operation.js');
const { readOperation } = require('../admission/read-operation.js');
const { PoolCore } = require('./pool-core.js');
const { PoolJob } = require('../executors/pool-job.js');

const MAX_OUTSTANDING = 64;

/** Differences from a pool with one worker. */
const WORKER = {
  kind: 'worker',
  streamsInput: false,
  fullCode: Code.PoolSaturated,
  stoppedCode: Code.StaleHandle,
};

async function checkFile(path, maxModuleBytes) {
  let status;
  try {
    status = await fileStatus(path);
  } catch (error) {
    throw startupFailed(error);
  }
  if (!status.isFile()) {
    throw startupFailed(notRegular(path));
  }
  if (status.size > maxModuleBytes) {
    throw workerError(
      Code.ResourceLimit,
      'worker module is larger than maxModuleBytes',
    );
  }
}

/**
 * @param {string} path of its module
 * @param {object} settings checked by the caller
 * @returns {PoolCore} with a thread that is about to start
 */
function openWorker(path, settings) {
  const policy = {
    __proto__: null,
    ...settings,
    // Debuggers list it by its file.
    name: basename(path),
    module: path,
    workers: 1,
    concurrentJobsPerWorker: 1,
    capacity: MAX_OUTSTANDING,
    maxQueued: MAX_OUTSTANDING - 1,
    overflow: 'reject',
    maxBackpressureWaiters: 1,
    minWorkers: 0,
    idleTimeoutMs: Infinity,
  };
  const core = new PoolCore(policy, { ...WORKER, name: path });
  core.open();
  return core;
}

/** Resolves once the module's top level has run. */
async function moduleReady({ executor, admission }, timeoutMs) {
  const operation =
    timeoutMs === Infinity
      ? NO_OPERATION
      : readOperation({ __proto__: null, timeoutMs });
  const encoded = executor.encode(null);
  const job = new PoolJob(operation, encoded, executor.entries.ready());
  try {
    await admission.admit(job);
  } catch (error) {
    await admission.stop({ drain: false, timeoutMs: 0 });
    await executor.close(0);
    const isOurs =
      error instanceof SloppyWorkerError && error.code !== Code.JobTimeout;
    throw isOurs ? error : startupFailed(error);
  }
}

module.exports = { checkFile, moduleReady, openWorker };
