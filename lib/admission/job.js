'use strict';

const { bareClass } = require('../base/bare.js');
const { followable } = require('../base/followable.js');
const { JobState } = require('./job-state.js');
const { NO_OPERATION } = require('./operation.js');
const { OwnPromise } = require('../base/primordials.js');

/**
 * Rejects once the job's promise waits for this one, two turns from now. An
 * error that is made only then has a stack that V8 continues with the callers
 * that await the job.
 *
 * @param {Admission} admission for whom the job is not over until then
 * @param {() => unknown} makeError
 */
async function failing(admission, makeError) {
  admission.tell();
  await null;
  await null;
  admission.told();
  throw makeError();
}

// They hold what the job was settled with.
function forgetSettlers(job) {
  job.resolve = null;
  if (job.isWatched) job.operation.reject = null;
}

/**
 * One operation from submission to settlement. Allocated once; executors
 * subclass it for what they need to run it, and give it `prev` and `next` for
 * its place in a list, and `waitedMs` for its watcher.
 *
 * Few fields: hundreds of thousands may wait, and the garbage collector copies
 * each of them twice. Of its promise it keeps only what resolves it, unless it
 * is likely to be rejected.
 */
class Job {
  /**
   * @param {Operation} operation from `readOperation`
   * @param {number} bytes what the payload counts towards `maxQueuedBytes`
   */
  constructor(operation, bytes) {
    this.state = JobState.New;
    this.id = 0;
    this.operation = operation;
    this.bytes = bytes;
    this.resolve = null;
    /** Whom to tell of its states, if anybody: see observe/watch.js. */
    this.watcher = null;
  }

  /**
   * Makes the promise, once. Done as late as possible: refusals need none.
   *
   * @returns {Promise<unknown>} what the caller gets
   */
  open() {
    if (this.isWatched) {
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

  /** At once where somebody may cancel the job, else two turns from now. */
  fail(error, admission) {
    const reject = this.isWatched ? this.operation.reject : null;
    if (reject !== null) reject(error);
    else this.resolve(followable(failing(admission, () => error)));
    forgetSettlers(this);
    this.decided();
  }

  /** Its promise has its outcome. Calls nobody's code. */
  decided() {}

  /** @returns {boolean} false for the plain case: no signal, no deadline */
  get isWatched() {
    return this.operation !== NO_OPERATION;
  }
}

bareClass(Job);

module.exports = { Job, JobState, failing };
