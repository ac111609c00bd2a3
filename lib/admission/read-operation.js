'use strict';
// Reads the options of calls that say when they end.

const {
  ObjectPrototype,
  getPrototypeOf,
} = require('../protocol/codec/captured.js');
const { Deadline, deadlineAt } = require('../signals/deadline.js');
const { NO_OPERATION, Operation } = require('./operation.js');
const { TimedRun } = require('./timed-run.js');
const { isSignal } = require('../signals/any-signal.js');
const {
  checkRunTimeoutMs,
  checkTimeoutMs,
  isPlainObject,
} = require('../base/validate.js');
const { freeze, max, min } = require('../base/primordials.js');
const { heldMs, limitsNow } = require('../base/limits-clock.js');

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

function make(runMs, signal, deadline, expiresAt, durationMs) {
  return runMs === Infinity
    ? new Operation(signal, deadline, expiresAt, durationMs)
    : new TimedRun(runMs, signal, deadline, expiresAt, durationMs);
}

function combine(runMs, signal, deadline, timeoutAt, durationMs) {
  if (deadline === undefined) {
    return make(runMs, signal, undefined, timeoutAt, durationMs);
  }
  if (deadline instanceof Deadline) {
    const deadlineIsAt = deadline.expiresAtMonotonicMs - heldMs();
    return timeoutAt < deadlineIsAt
      ? make(runMs, signal, undefined, timeoutAt, durationMs)
      : make(runMs, signal, deadline, deadlineIsAt, 0);
  }
  const expiresAt = limitsNow() + remainingOf(deadline);
  if (timeoutAt === Infinity) {
    return make(runMs, signal, deadline, expiresAt, 0);
  }
  return make(
    runMs,
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
 * @param {unknown} [runTimeoutMs] its clock starts with each run of the job;
 *   default Infinity
 * @returns {Operation} the shared `NO_OPERATION` for a call without options
 * @throws {TypeError} for a value of the wrong kind
 * @throws {InvalidDeadlineError} for a numeric `deadline` out of range
 */
function operationOf(
  givenSignal,
  givenDeadline,
  timeoutMs,
  runTimeoutMs = Infinity,
) {
  const signal = checkSignal(givenSignal);
  const runMs = checkRunTimeoutMs('worker runTimeoutMs', runTimeoutMs);
  let durationMs;
  let timeoutAt = Infinity;
  if (timeoutMs !== undefined) {
    durationMs = checkTimeoutMs(timeoutMs);
    timeoutAt = limitsNow() + durationMs;
  }
  const deadline = checkDeadline(givenDeadline);
  if (timeoutMs !== undefined || deadline !== undefined) {
    return combine(runMs, signal, deadline, timeoutAt, durationMs);
  }
  if (signal === undefined && runMs === Infinity) return NO_OPERATION;
  return make(runMs, signal, undefined, Infinity, 0);
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
 * @param {unknown} options `{ signal?, deadline?, timeoutMs?, runTimeoutMs? }`
 *   from `ownOptions`, other keys ignored; `undefined` and `null` mean none
 * @param {number} [runMs] for options without `runTimeoutMs`
 * @returns {Operation}
 * @throws see `checkBag` and `operationOf`
 */
function readOperation(options, runMs = Infinity) {
  if (options === undefined || options === null) {
    return operationOf(undefined, undefined, undefined, runMs);
  }
  // Read before the check, so that the compiler knows the object's hidden class
  // when its prototype is read.
  const { deadline, runTimeoutMs = runMs, signal, timeoutMs } = options;
  checkBag(options);
  return operationOf(signal, deadline, timeoutMs, runTimeoutMs);
}

module.exports = {
  checkBag,
  operationOf,
  readOperation,
};
