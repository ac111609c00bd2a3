'use strict';

const { Outcome } = require('../errors/outcome.js');
const { freeze } = require('../base/primordials.js');

/**
 * The counters of one queue. Each admitted job ends in exactly one of
 * `completed`, `failed`, `cancelled` and `timedOut`; a waiter that dies before
 * admission adds to the last two without having been `enqueued`.
 */
class AdmissionStats {
  enqueued = 0;
  overflow = 0;
  /** Refused calls, and waiters that a stop rejected. */
  refused = 0;
  /**
   * Waiters that were cancelled or timed out: submitted, but never enqueued.
   */
  dismissed = 0;
  #codes = { __proto__: null };
  #completed = 0;
  #failed = 0;
  #cancelled = 0;
  #timedOut = 0;
  #retryExhausted = 0;

  /** @param {number} outcome of Outcome */
  count(outcome) {
    if (outcome === Outcome.Completed) this.#completed += 1;
    else this.#countFailed(outcome);
  }

  #countFailed(outcome) {
    switch (outcome) {
      case Outcome.Exhausted:
        this.#failed += 1;
        this.#retryExhausted += 1;
        break;
      case Outcome.Cancelled:
        this.#cancelled += 1;
        break;
      case Outcome.TimedOut:
        this.#timedOut += 1;
        break;
      default:
        this.#failed += 1;
    }
  }

  /** @param {string} code of a failure */
  blame(code) {
    this.#codes[code] = (this.#codes[code] ?? 0) + 1;
  }

  /**
   * @param {number} waiting submissions without a place
   * @returns {object} frozen; see JobCounters in types/metrics.d.ts
   */
  counters(waiting) {
    return freeze({
      submitted: this.enqueued + this.dismissed + waiting,
      completed: this.#completed,
      failed: this.#failed,
      cancelled: this.#cancelled,
      timedOut: this.#timedOut,
      refused: this.refused,
      byCode: freeze({ ...this.#codes }),
    });
  }

  snapshot() {
    return freeze({
      enqueued: this.enqueued,
      completed: this.#completed,
      failed: this.#failed,
      cancelled: this.#cancelled,
      timedOut: this.#timedOut,
      retryExhausted: this.#retryExhausted,
      overflow: this.overflow,
    });
  }
}

module.exports = { AdmissionStats };
