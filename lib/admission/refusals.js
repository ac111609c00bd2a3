'use strict';

const {
  SloppyWorkerError,
  workerError,
} = require('../protocol/sloppy-worker-error.js');
const { Code } = require('../protocol/diagnostics.gen.js');

/** @returns {SloppyWorkerError | undefined} the reason for refusing a job */
function refusalOf(job) {
  try {
    return job.operation.refusal();
  } catch {
    // A foreign signal that throws counts as cancelled, because it could not
    // report a cancellation.
    return workerError(Code.JobCancelled);
  }
}

/** @returns {string} code of any thrown value, even a caller's getter's */
function codeOf(error) {
  try {
    if (error instanceof SloppyWorkerError) return error.code;
    return error instanceof TypeError ? 'TypeError' : 'Error';
  } catch {
    return 'Error';
  }
}

/** The reason for the job's own signal. */
function reasonOf(operation) {
  try {
    return operation.isCancelled() ? operation.signal.reason : 'deadline';
  } catch {
    return undefined;
  }
}

/** @returns {SloppyWorkerError} for an error of an executor's */
const failureOf = (error) =>
  error instanceof SloppyWorkerError
    ? error
    : workerError(Code.JobFailed, undefined, { cause: error });

module.exports = { codeOf, failureOf, reasonOf, refusalOf };
