'use strict';

const { bareClass } = require('../base/bare.js');
const { followable } = require('../base/followable.js');
const { JobState } = require('./job-state.js');
const { NO_OPERATION } = require('./operation.js');
const { OwnPromise } = require('../base/primordials.js');

/**
 * Rejects two turns from now, when the job's promise waits for this one. V8
 * continues the stack of an error made then with the callers that await the
 * job.
 *
 * @param {Admission} admission counts the job as unfinished until then
 * @param {() => unknown} makeError
 */
async function failing(admission, makeError) {
  admission.failing();
  await null;
  await null;
  admission.failed();
  throw makeError();
}

// The settling functions hold the job's result.
function forgetSettlers(job) {
  job.resolve = null;
  if (job.hasLimits) job.operation.reject = null;
}

/**
 * One operation from submission to settlement. Allocated once; executors
 * subclass it with the fields they need, `prev` and `next` for a list, and
 * `waitedMs` for metrics.
 *
 * It has few fields, because hundreds of thousands may wait and the garbage
 * collector copies each twice. It keeps only its promise's resolve function,
 * unless a rejection is likely.
 */
class Job {
  /**
   * @param {Operation} operation from `readOperation`
   * @param {number} bytes of the payload, towards `maxQueuedBytes`
   */
  constructor(operation, bytes) {
    this.state = JobState.New;
    this.id = 0;
    this.operation = operation;
    this.bytes = bytes;
    this.resolve = null;
    /** The observer of its states, or null: see observe/watch.js. */
    this.metrics = null;
  }

  /**
   * Makes the promise, once. As late as possible, because refusals need none.
   *
   * @returns {Promise<unknown>} what the caller gets
   */
  open() {
    if (this.hasLimits) {
      return new OwnPromise((resolve, reject) => {
        this.resolve = resolve;
        this.operation.reject = reject;
      });
    }
    return new OwnPromise((resolve) => {
      this.resolve = resolve;
    });
  }

  /** REQUIRES, as the next: opened, and not settled before. */
  fulfil(value) {
    this.resolve(value);
    forgetSettlers(this);
    this.decided();
  }

  /** Rejects at once if the job can be cancelled, else two turns from now. */
  fail(error, admission) {
    const reject = this.hasLimits ? this.operation.reject : null;
    if (reject !== null) reject(error);
    else this.resolve(followable(failing(admission, () => error)));
    forgetSettlers(this);
    this.decided();
  }

  /** The job is settled. Calls no user code. */
  decided() {}

  /** Whether the process lives for it, so that its limits need not. */
  get holdsProcess() {
    return false;
  }

  /** It is for one given worker, before that one's other jobs. */
  get isPinned() {
    return false;
  }

  /** @returns {string | null} whose jobs it takes turns with, see Lanes */
  get key() {
    return null;
  }

  /** @returns {Lane | null} those of its key, while it is one of them */
  get lane() {
    return null;
  }

  /** @returns {boolean} false for the plain case: no signal, no deadline */
  get hasLimits() {
    return this.operation !== NO_OPERATION;
  }
}

bareClass(Job);

module.exports = { Job, JobState, failing };
