'use strict';
// What happens before a Worker's handle exists: its file, its thread, its
// module's top level.

const {
  SloppyWorkerError,
  workerError,
} = require('../protocol/sloppy-worker-error.js');
const { Admission } = require('../admission/admission.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { createExecutor } = require('../executors/index.js');
const { fileStatus } = require('../base/files.js');
const { startupFailed } = require('../entries/module-path.js');
const { Watch } = require('../observe/watch.js');
const { NO_OPERATION, readOperation } = require('../admission/operation.js');
const { PoolJob } = require('../executors/pool-job.js');

const MAX_OUTSTANDING = 64;

/** @returns {Promise<number>} the size in bytes */
async function checkFile(path, maxModuleBytes) {
  let status;
  try {
    status = await fileStatus(path);
  } catch (error) {
    throw startupFailed(error);
  }
  if (!status.isFile()) {
    throw startupFailed(new Error(`not a regular file: ${path}`));
  }
  if (status.size > maxModuleBytes) {
    throw workerError(
      Code.ResourceLimit,
      'worker module is larger than maxModuleBytes',
    );
  }
  return status.size;
}

/**
 * @param {string} path of its module
 * @param {object} settings checked by the caller
 * @returns {{ native: object, admission: Admission, watch: Watch }} with a
 *   thread that is about to start
 */
function openWorker(path, settings) {
  const native = createExecutor({
    ...settings,
    name: 'worker',
    module: path,
    workers: 1,
    capacity: MAX_OUTSTANDING,
  });
  const admission = new Admission({
    name: path,
    maxQueued: MAX_OUTSTANDING - 1,
    concurrency: 1,
    overflow: 'reject',
    maxBackpressureWaiters: 1,
    executor: native,
    fullCode: Code.PoolSaturated,
    stoppedCode: Code.StaleHandle,
  });
  native.attach(admission);
  const watch = new Watch('worker', path);
  native.onWorkerStart = () => watch.workerStarted(native);
  native.onWorkerExit = () => watch.workerExited(native);
  return { native, admission, watch };
}

/** Resolves once the module's top level has run. */
async function moduleReady({ native, admission }, timeoutMs) {
  const operation =
    timeoutMs === Infinity
      ? NO_OPERATION
      : readOperation({ __proto__: null, timeoutMs });
  const encoded = native.encode(null);
  const job = new PoolJob(operation, encoded, native.entries.ready());
  try {
    await admission.admit(job);
  } catch (error) {
    await admission.stop({ drain: false, timeoutMs: 0 });
    await native.close(0);
    const told =
      error instanceof SloppyWorkerError && error.code !== Code.JobTimeout;
    throw told ? error : startupFailed(error);
  }
}

module.exports = { checkFile, moduleReady, openWorker };
