'use strict';

const { checkDelay } = require('../signals/deadline.js');
const { takeOptions } = require('../options/take-options.js');
const { optionalSignal } = require('../signals/time-arguments.js');
const { untilCancelled } = require('./delay.js');
const {
  InvalidDeadlineError,
  TimerDisposedError,
} = require('../signals/time-errors.js');

function readInstant(operation, value) {
  const unixMs = new Date(value).getTime();
  if (Number.isNaN(unixMs)) {
    throw new InvalidDeadlineError(
      `${operation} requires a finite Date or Unix millisecond value.`,
    );
  }
  return unixMs;
}

/**
 * A clock that moves only by `set` and `advanceBy`. Pending delays fire inside
 * these calls, in order of their due time, then of their start; each sees the
 * clock at its own due time.
 */
class FakeClock {
  kind = 'fake';
  #wallMs;
  #monotonicMs = 0;
  #pending = new Set();
  #disposed = false;

  constructor(unixMs) {
    this.#wallMs = unixMs;
    Object.freeze(this);
  }

  /** @returns {Date} */
  now() {
    return new Date(this.#wallMs);
  }

  /** @returns {number} milliseconds this clock has moved forward */
  monotonicNowMs() {
    return this.#monotonicMs;
  }

  /**
   * @param {number} ms as in `Time.delay`; 0 needs no advance
   * @param {{ signal?: object }} [options]
   * @returns {Promise<void>} rejects CancelledError, or TimerDisposedError
   *   when the clock is disposed before
   */
  delay(ms, options = undefined) {
    const delayMs = checkDelay('Clock.delay', ms);
    const bag = takeOptions('Clock.delay', options, ['signal']);
    const signal = optionalSignal('Clock.delay', bag.signal);
    if (this.#disposed) return Promise.reject(new TimerDisposedError());
    return untilCancelled(signal, (resolve, reject) => {
      if (delayMs === 0) resolve();
      const timer = { dueMs: this.#monotonicMs + delayMs, resolve, reject };
      if (delayMs > 0) this.#pending.add(timer);
      return () => this.#pending.delete(timer);
    });
  }

  /**
   * Moves forward and fires the delays that fall due.
   *
   * @param {number} ms finite, 0 or more
   * @throws {InvalidDeadlineError | TimerDisposedError}
   */
  advanceBy(ms) {
    if (typeof ms !== 'number' || !(ms >= 0 && ms < Infinity)) {
      throw new InvalidDeadlineError(
        'FakeClock.advanceBy requires a finite non-negative number.',
      );
    }
    this.#assertLive();
    const targetMs = this.#monotonicMs + ms;
    for (;;) {
      const timer = this.#nextDue(targetMs);
      if (timer === undefined) break;
      this.#pending.delete(timer);
      this.#moveTo(timer.dueMs);
      timer.resolve();
    }
    this.#moveTo(targetMs);
  }

  /**
   * Sets the wall clock. Forward is an advance; backward moves only the wall
   * clock, as when an administrator corrects a real one.
   *
   * @param {Date | number} instant
   * @throws {InvalidDeadlineError | TimerDisposedError}
   */
  set(instant) {
    const unixMs = readInstant('FakeClock.set', instant);
    this.#assertLive();
    if (unixMs > this.#wallMs) this.advanceBy(unixMs - this.#wallMs);
    this.#wallMs = unixMs;
  }

  /** Rejects pending delays with TimerDisposedError. Idempotent. */
  dispose() {
    this.#disposed = true;
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const timer of pending) timer.reject(new TimerDisposedError());
  }

  [Symbol.dispose]() {
    this.dispose();
  }

  #assertLive() {
    if (this.#disposed) throw new TimerDisposedError('Clock is disposed.');
  }

  #moveTo(monotonicMs) {
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }

  /** The earliest timer due by `targetMs`; the Set keeps starting order. */
  #nextDue(targetMs) {
    let next;
    for (const timer of this.#pending) {
      if (timer.dueMs > targetMs) continue;
      if (next === undefined || timer.dueMs < next.dueMs) next = timer;
    }
    return next;
  }
}

/**
 * @param {{ now?: Date | number }} [options] start of the wall clock; default
 *   0, the Unix epoch, so that tests are reproducible
 * @returns {FakeClock}
 * @throws {InvalidDeadlineError}
 */
function fakeClock(options = undefined) {
  const { now = 0 } = takeOptions('Time.fakeClock', options, ['now']);
  return new FakeClock(readInstant('Time.fakeClock', now));
}

module.exports = { fakeClock };
