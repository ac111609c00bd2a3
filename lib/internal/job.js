'use strict';

const { bareClass } = require('./bare.js');
const { JobState } = require('./job-state.js');
const { NO_OPERATION } = require('./operation.js');
const { OwnPromise } = require('./primordials.js');

/**
 * One operation from submission to settlement: its promise, its place in a
 * list. Allocated once; executors subclass it for what they need to run it.
 * PoolJob, which has fewer fields, offers Admission the same: all that is here
 * but `promise` and the two settlers.
 */
class Job {
  /**
   * @param {Operation} operation from `readOperation`
   * @param {number} bytes what the payload counts towards `maxQueuedBytes`
   */
  constructor(operation, bytes) {
    this.prev = null;
    this.next = null;
    this.state = JobState.New;
    this.id = 0;
    this.operation = operation;
    this.bytes = bytes;
    this.promise = null;
    this.resolve = null;
    this.reject = null;
    /** Whom to tell of its states, if anybody: see observe/watch.js. */
    this.watcher = null;
    this.waitedMs = 0;
  }

  /**
   * Makes the promise, once. Done as late as possible: refusals need none.
   *
   * @returns {Promise<unknown>} what the caller gets
   */
  open() {
    this.promise = new OwnPromise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    return this.promise;
  }

  /** REQUIRES: opened, and not settled yet; nor for the next. */
  fulfil(value) {
    this.resolve(value);
    this.resolve = this.reject = null;
  }

  /**
   * @param {unknown} error
   * @param {Admission} _admission for those who reject later
   */
  fail(error, _admission) {
    this.reject(error);
    this.resolve = this.reject = null;
  }

  /** @returns {boolean} false for the plain case: no signal, no deadline */
  get isWatched() {
    return this.operation !== NO_OPERATION;
  }
}

bareClass(Job);

module.exports = { Job, JobState };
