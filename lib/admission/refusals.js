'use strict';

const {
  SloppyWorkerError,
  workerError,
} = require('../protocol/sloppy-worker-error.js');
const { Code } = require('../protocol/diagnostics.gen.js');

/** @returns {SloppyWorkerError | undefined} why not to go on with a job */
function refusalOf(job) {
  try {
    return job.operation.refusal();
  } catch {
    // A foreign signal that can be read no more can cancel no more either.
    return workerError(Code.JobCancelled);
  }
}

/** @returns {string} whatever a getter of the caller's may have thrown */
function codeOf(error) {
  try {
    if (error instanceof SloppyWorkerError) return error.code;
    return error instanceof TypeError ? 'TypeError' : 'Error';
  } catch {
    return 'Error';
  }
}

/** What the job's own signal is cancelled with. */
function reasonOf(operation) {
  try {
    return operation.isCancelled() ? operation.signal.reason : 'deadline';
  } catch {
    return undefined;
  }
}

module.exports = { codeOf, reasonOf, refusalOf };
