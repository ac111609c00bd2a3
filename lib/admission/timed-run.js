'use strict';

const { deadlineAt } = require('../signals/deadline.js');
const { DETAIL_HINTS, DETAIL_TEXTS } = require('../protocol/details.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const { bareClass } = require('../base/bare.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { Operation, POSTPONED_MS } = require('./operation.js');
const { startLimit, stopLimit } = require('../timers/timer-lists.js');
const { withHint } = require('../errors/hint.js');
const { heldMs, limitsNow } = require('../base/limits-clock.js');
const { Detail } = require('../protocol/wire.gen.js');

/** A limit in the timers, for the end of a run. */
class RunLimit {
  limits = null;

  constructor(operation, expiresAt) {
    this.operation = operation;
    this.expiresAt = expiresAt;
  }

  expired() {
    this.operation.runExpired();
  }
}

bareClass(RunLimit);

/**
 * An operation whose job may run for `runTimeoutMs`, besides the limits that
 * count from the call. Each run counts anew.
 *
 * An executor that cannot say when the job starts calls `beginRun` as soon as
 * it may start, and has `runLeft(job)`: how many milliseconds are left, which
 * is asked when they would be over.
 */
class TimedRun extends Operation {
  #runMs;
  #limit = null;
  #isOver;
  // `heldMs()` at the begin.
  #held = 0;

  constructor(runMs, signal, deadline, expiresAt, durationMs) {
    super(signal, deadline, expiresAt, durationMs);
    this.#runMs = runMs;
    this.#isOver = runMs === 0;
  }

  get runMs() {
    return this.#runMs;
  }

  isExpired() {
    return this.#isOver || super.isExpired();
  }

  // No run without time begins.
  refusalWhenNew() {
    return this.#isOver ? this.refusal() : super.refusalWhenNew();
  }

  timeoutError() {
    return this.#isOver ? runTimeoutError() : super.timeoutError();
  }

  /**
   * A run begins. REQUIRES: the operation is observed.
   *
   * @param {number} [sinceMs] this long ago
   */
  beginRun(sinceMs = 0) {
    if (this.#limit !== null) stopLimit(this.#limit);
    this.#held = heldMs();
    this.#limit = new RunLimit(this, limitsNow() + this.#runMs - sinceMs);
    this.#start(this.#runMs);
  }

  /** The deadline of the run that has just begun. */
  get runDeadline() {
    const { expiresAt } = this.#limit;
    return this.expiresAt <= expiresAt
      ? this.deadline
      : deadlineAt(expiresAt + heldMs());
  }

  /** For how long its clock has stood still since `beginRun`, in milliseconds. */
  get heldSinceMs() {
    return heldMs() - this.#held;
  }

  /** Puts the limit off: it is looked at again. */
  postponeRun(ms = POSTPONED_MS) {
    this.#limit.expiresAt = limitsNow() + ms;
    this.#start(0);
  }

  #start(durationMs) {
    startLimit(durationMs, this.#limit, !this.job.holdsProcess);
  }

  /** The run has ended, or takes too long from now on. */
  endRun(isOver = false) {
    this.#isOver = isOver;
    if (this.#limit !== null) stopLimit(this.#limit);
  }

  unwatch() {
    if (this.#limit !== null) stopLimit(this.#limit);
    super.unwatch();
  }
}

/** @returns {SloppyWorkerError} of a run that took too long */
function runTimeoutError() {
  const error = workerError(Code.JobTimeout, DETAIL_TEXTS[Detail.RunTimedOut]);
  return withHint(error, DETAIL_HINTS[Detail.RunTimedOut]);
}

module.exports = { TimedRun };
