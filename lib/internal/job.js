'use strict';

const { bareClass } = require('./bare.js');
const { NO_OPERATION } = require('./operation.js');
const { scheduleLimit } = require('./timer-lists.js');

/**
 * Where a job is in its life. Only Admission moves a job from one to the next.
 *
 *     New -> Waiting -> Admitted -> Settled -> Released
 *
 * `Settled`: the caller has its answer, the place is still taken.
 * `Released`: the place is free again; whatever comes later is ignored.
 */
const JobState = Object.freeze({
  New: 0,
  Waiting: 1,
  Admitted: 2,
  Settled: 3,
  Released: 4,
});

let openedResolve;
let openedReject;

// One function for all promises: a closure per job would double its cost.
function keepSettlers(resolve, reject) {
  openedResolve = resolve;
  openedReject = reject;
}

/**
 * One operation from submission to settlement: its promise, its place in a
 * list, and what watches its signal and deadline. Allocated once; executors
 * subclass it for what they need to run it.
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
    this.subscription = null;
    this.timer = null;
    /** Whom to tell of its states, if anybody: see observe/watch.js. */
    this.watcher = null;
    this.waitedMs = 0;
  }

  /** Makes the promise. Done as late as possible: refusals need none. */
  open() {
    this.promise = new Promise(keepSettlers);
    this.resolve = openedResolve;
    this.reject = openedReject;
    openedResolve = undefined;
    openedReject = undefined;
  }

  /** @returns {boolean} false for the plain case: no signal, no deadline */
  get isWatched() {
    return this.operation !== NO_OPERATION;
  }

  /**
   * @param {(job: Job) => void} onCancel may be called inside this call
   * @param {(job: Job) => void} onExpire
   * @throws whatever a foreign signal's addEventListener throws
   */
  watch(onCancel, onExpire) {
    const { operation } = this;
    this.subscription = operation.onCancel(onCancel, this);
    if (this.state === JobState.Released) {
      this.unwatch();
    } else if (operation.expiresAt !== Infinity) {
      this.timer = scheduleLimit(
        operation.durationMs,
        operation.expiresAt,
        onExpire,
        this,
      );
    }
  }

  unwatch() {
    if (this.timer !== null) {
      this.timer.cancel();
      this.timer = null;
    }
    if (this.subscription === null) return;
    const { subscription } = this;
    this.subscription = null;
    try {
      subscription.remove();
    } catch {
      // A foreign signal that cannot forget must not undo a settlement.
    }
  }
}

bareClass(Job);

module.exports = { Job, JobState };
