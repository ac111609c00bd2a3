'use strict';

const { deadlineAt } = require('../signals/deadline.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const { bareClass } = require('../base/bare.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { JobState } = require('./job-state.js');
const {
  isSignalCancelled,
  isTimeoutReason,
  readReason,
  subscribe,
} = require('../signals/any-signal.js');
const { startLimit, stopLimit } = require('../timers/timer-lists.js');
const { freeze } = require('../base/primordials.js');
const { heldMs, limitsNow } = require('../base/limits-clock.js');

// A late job of threads that are debugged is looked at again after this time.
const POSTPONED_MS = 1000;

/**
 * The options of one operation, read once at submission.
 *
 * - `signal`: the caller's signal, or undefined
 * - `deadline`: the one in the job's context: an object with `remainingMs()`
 *   and `expired`, or undefined
 * - `expiresAt`: the same instant on the clock of limits, Infinity without one
 * - `durationMs`: `expiresAt` is this long after the call; 0: unknown or none
 * - `reject`: rejects the job's promise, for jobs that keep it here
 *
 * Holds no timer and no listener until `watch` is called, so an operation that
 * is refused costs nothing to forget.
 */
class Operation {
  #deadline;
  #admission = null;
  #subscription = null;
  /** The job whose signal and deadline are observed. */
  job = null;
  /** The list of its limit, see timer-lists.js. */
  limits = null;

  constructor(signal, deadline, expiresAt, durationMs) {
    this.signal = signal;
    this.#deadline = deadline;
    this.expiresAt = expiresAt;
    this.durationMs = durationMs;
    this.reject = null;
  }

  get deadline() {
    // Made at its first use, because few jobs read it.
    if (this.#deadline === undefined && this.expiresAt !== Infinity) {
      this.#deadline = deadlineAt(this.expiresAt + heldMs());
    }
    return this.#deadline;
  }

  /** Milliseconds that a run of its job may take, see TimedRun. */
  get runMs() {
    return Infinity;
  }

  /** The executor runs the job, or may from now on. See TimedRun. */
  beginRun() {}

  /** The job's run has ended. */
  endRun() {}

  /** @returns {boolean} whether there is a deadline that never expires */
  get isEndless() {
    return this.expiresAt === Infinity && this.#deadline !== undefined;
  }

  /** @returns {boolean} whether the caller's signal is cancelled now */
  isCancelled() {
    return this.signal !== undefined && isSignalCancelled(this.signal);
  }

  /** @returns {boolean} whether the deadline has passed now */
  isExpired() {
    return this.expiresAt !== Infinity && limitsNow() >= this.expiresAt;
  }

  /**
   * @param {SharedStack} [sharedStack] that cancelled it together with others
   * @returns {SloppyWorkerError} for a cancelled signal; never its reason
   */
  cancelError(sharedStack = undefined) {
    const code = isTimeoutReason(readReason(this.signal))
      ? Code.JobTimeout
      : Code.JobCancelled;
    return sharedStack === undefined
      ? workerError(code)
      : sharedStack.error(code);
  }

  /** @returns {SloppyWorkerError} for an expired deadline */
  timeoutError() {
    return workerError(Code.JobTimeout);
  }

  /**
   * The check before every admission: the signal first, then the deadline.
   *
   * @returns {SloppyWorkerError | undefined} the reason for a refusal
   */
  refusal() {
    if (this.isCancelled()) return this.cancelError();
    if (this.isExpired()) return this.timeoutError();
    return undefined;
  }

  /**
   * The same in the call that made the operation. The clock is not read,
   * because less than a millisecond has passed.
   */
  refusalWhenNew() {
    if (this.durationMs === 0) return this.refusal();
    return this.isCancelled() ? this.cancelError() : undefined;
  }

  /**
   * Observes signal and deadline for this operation's job, until `unwatch`.
   *
   * @param {Job} job
   * @param {Admission} admission gets `cancelled(job, sharedStack)`, possibly
   *   inside this call, or `expired(job)`
   * @param {Hub | null} [hub] of the signal, if its owner holds one: the signal
   *   is not read then
   * @throws any error of a foreign signal's members
   */
  watch(job, admission, hub = null) {
    this.job = job;
    this.#admission = admission;
    if (hub !== null) {
      this.#subscription = hub.subscribe(cancelled, this);
    } else if (this.signal !== undefined) {
      this.#subscription = subscribe(this.signal, cancelled, this);
    }
    if (job.state === JobState.Released) this.unwatch();
    else if (this.expiresAt !== Infinity) this.#start(this.durationMs);
  }

  cancelled(sharedStack) {
    this.#admission.cancelled(this.job, sharedStack);
  }

  expired() {
    this.#admission.expired(this.job);
  }

  /** The time of a run may be over. REQUIRES: it is observed. */
  runExpired() {
    this.#admission.runExpired(this.job);
  }

  /** Its time is over, but does not count now. REQUIRES: it is observed. */
  postpone() {
    this.expiresAt = limitsNow() + POSTPONED_MS;
    this.#start(0);
  }

  #start(durationMs) {
    startLimit(durationMs, this, !this.job.holdsProcess);
  }

  /** Does nothing if nothing is observed. */
  unwatch() {
    stopLimit(this);
    if (this.#subscription !== null) {
      this.#subscription.remove();
      this.#subscription = null;
    }
    // Cleared, because the limit's list may keep this object for a while.
    this.job = this.#admission = null;
  }
}

bareClass(Operation);

const cancelled = (operation, sharedStack) => operation.cancelled(sharedStack);

/** The operation of calls without options. Frozen, because it is shared. */
const NO_OPERATION = freeze(new Operation(undefined, undefined, Infinity, 0));

module.exports = { NO_OPERATION, Operation, POSTPONED_MS };
