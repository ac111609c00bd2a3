'use strict';

const {
  ObjectPrototype,
  getPrototypeOf,
} = require('../protocol/codec/captured.js');
const { Deadline, deadlineAt } = require('../signals/deadline.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const { bareClass } = require('../base/bare.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { JobState } = require('./job-state.js');
const {
  isSignal,
  isSignalCancelled,
  isTimeoutReason,
  readReason,
  subscribe,
} = require('../signals/any-signal.js');
const { startLimit, stopLimit } = require('../timers/timer-lists.js');
const { checkTimeoutMs, isPlainObject } = require('../base/validate.js');
const { freeze, max, min } = require('../base/primordials.js');
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
   * @throws any error of a foreign signal's addEventListener
   */
  watch(job, admission) {
    this.job = job;
    this.#admission = admission;
    if (this.signal !== undefined) {
      this.#subscription = subscribe(this.signal, cancelled, this);
    }
    if (job.state === JobState.Released) this.unwatch();
    else if (this.expiresAt !== Infinity) startLimit(this.durationMs, this);
  }

  cancelled(sharedStack) {
    this.#admission.cancelled(this.job, sharedStack);
  }

  expired() {
    this.#admission.expired(this.job);
  }

  /** Its time is over, but does not count now. REQUIRES: it is observed. */
  postpone() {
    this.expiresAt = limitsNow() + POSTPONED_MS;
    startLimit(0, this);
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

function checkSignal(signal) {
  if (signal !== undefined && !isSignal(signal)) {
    throw new TypeError(
      'worker signal must be a Sloppy cancellation signal or ' +
        'AbortSignal-like object.',
    );
  }
  return signal;
}

function checkDeadline(deadline) {
  if (deadline === undefined || deadline === null) return undefined;
  if (typeof deadline === 'number') return Deadline.after(deadline);
  if (
    typeof deadline !== 'object' ||
    typeof deadline.remainingMs !== 'function'
  ) {
    throw new TypeError('worker deadline must expose remainingMs().');
  }
  return deadline;
}

function remainingOf(deadline) {
  const remainingMs = deadline.remainingMs();
  if (
    typeof remainingMs !== 'number' ||
    Number.isNaN(remainingMs) ||
    remainingMs === -Infinity
  ) {
    throw new TypeError(
      'worker deadline remainingMs() must be finite or Infinity.',
    );
  }
  return max(0, remainingMs);
}

/** The earlier of a foreign deadline, read anew each time, and our own. */
class EarlierDeadline {
  #foreign;
  #own;

  constructor(foreign, own) {
    this.#foreign = foreign;
    this.#own = own;
    freeze(this);
  }

  remainingMs() {
    return min(remainingOf(this.#foreign), this.#own.remainingMs());
  }

  get expired() {
    return this.remainingMs() <= 0;
  }
}

function combine(signal, deadline, timeoutAt, durationMs) {
  if (deadline === undefined) {
    return new Operation(signal, undefined, timeoutAt, durationMs);
  }
  if (deadline instanceof Deadline) {
    const deadlineIsAt = deadline.expiresAtMonotonicMs - heldMs();
    return timeoutAt < deadlineIsAt
      ? new Operation(signal, undefined, timeoutAt, durationMs)
      : new Operation(signal, deadline, deadlineIsAt, 0);
  }
  const expiresAt = limitsNow() + remainingOf(deadline);
  if (timeoutAt === Infinity) {
    return new Operation(signal, deadline, expiresAt, 0);
  }
  return new Operation(
    signal,
    new EarlierDeadline(deadline, deadlineAt(timeoutAt + heldMs())),
    min(timeoutAt, expiresAt),
    0,
  );
}

/**
 * Makes the operation of a call's options. The clock of `timeoutMs` starts
 * here.
 *
 * @param {unknown} givenSignal
 * @param {unknown} givenDeadline
 * @param {unknown} timeoutMs
 * @returns {Operation} the shared `NO_OPERATION` for a call without options
 * @throws {TypeError} for a value of the wrong kind
 * @throws {InvalidDeadlineError} for a numeric `deadline` out of range
 */
function operationOf(givenSignal, givenDeadline, timeoutMs) {
  const signal = checkSignal(givenSignal);
  let durationMs = 0;
  let timeoutAt = Infinity;
  if (timeoutMs !== undefined) {
    durationMs = checkTimeoutMs(timeoutMs);
    timeoutAt = limitsNow() + durationMs;
  }
  const deadline = checkDeadline(givenDeadline);
  if (timeoutMs !== undefined || deadline !== undefined) {
    return combine(signal, deadline, timeoutAt, durationMs);
  }
  if (signal === undefined) return NO_OPERATION;
  return new Operation(signal, undefined, Infinity, 0);
}

/** @throws {TypeError} for options that are no plain object */
function checkBag(options) {
  if (getPrototypeOf(options) !== ObjectPrototype && !isPlainObject(options)) {
    throw new TypeError('worker operation options must be a plain object.');
  }
}

/**
 * Reads the options of `enqueue` and similar calls, each key once. The bag is
 * not kept.
 *
 * @param {unknown} options `{ signal?, deadline?, timeoutMs? }` from
 *   `ownOptions`, other keys ignored; `undefined` and `null` mean none
 * @returns {Operation}
 * @throws see `checkBag` and `operationOf`
 */
function readOperation(options) {
  if (options === undefined || options === null) return NO_OPERATION;
  // Read before the check, so that the compiler knows the object's hidden class
  // when its prototype is read.
  const { deadline, signal, timeoutMs } = options;
  checkBag(options);
  return operationOf(signal, deadline, timeoutMs);
}

module.exports = {
  NO_OPERATION,
  Operation,
  checkBag,
  operationOf,
  readOperation,
};
