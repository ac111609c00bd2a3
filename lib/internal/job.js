'use strict';

const { bareClass } = require('./bare.js');
const { JobState } = require('./job-state.js');
const { NO_OPERATION } = require('./operation.js');
const { OwnPromise } = require('./primordials.js');

/**
 * One operation from submission to settlement: its promise, its place in a
 * list. Allocated once; executors subclass it for what they need to run it.
 * Few fields: hundreds of thousands may wait, and the garbage collector copies
 * each of them twice.
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

  /** Makes the promise. Done as late as possible: refusals need none. */
  open() {
    this.promise = new OwnPromise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Once settled: they hold what was settled with. */
  forgetSettlers() {
    this.resolve = null;
    this.reject = null;
  }

  /** @returns {boolean} false for the plain case: no signal, no deadline */
  get isWatched() {
    return this.operation !== NO_OPERATION;
  }
}

bareClass(Job);

module.exports = { Job, JobState };
