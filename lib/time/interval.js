'use strict';

const { onSignalCancel } = require('../signals/any-signal.js');
const { positiveInteger } = require('../base/validate.js');
const { takeOptions } = require('../options/take-options.js');
const {
  CLOCK_METHODS,
  optionalClock,
  optionalSignal,
  readInterval,
} = require('../signals/time-arguments.js');
const { CancellationController } = require('./cancellation.js');
const { SYSTEM_CLOCK } = require('./clock.js');
const { clockDelay } = require('./delay.js');

const ignore = () => {};
const done = (value) => ({ done: true, value });

/**
 * The async iterator behind `Time.interval`. Due times are multiples of the
 * interval from its start, so ticks do not drift. A consumer that comes late
 * gets one tick for all it missed.
 */
class Interval {
  #intervalMs;
  #clock;
  #maxTicks;
  #end = new CancellationController();
  #unsubscribe = ignore;
  #dueMs;
  #index = 0;
  #waiting = false;

  constructor(intervalMs, { clock, immediate, maxTicks, signal }) {
    this.#intervalMs = intervalMs;
    this.#clock = clock;
    this.#maxTicks = maxTicks;
    this.#dueMs = clock.monotonicNowMs() + (immediate ? 0 : intervalMs);
    if (signal !== undefined) {
      this.#unsubscribe = onSignalCancel(signal, () => this.stop());
    }
    Object.freeze(this);
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  /**
   * @returns {Promise<IteratorResult<object>>} the next tick: frozen
   *   `{ index, at, scheduledAt }`; rejects while another call is pending
   */
  async next() {
    if (this.#waiting) {
      throw new Error('Time.interval next() is already pending.');
    }
    if (this.#index >= this.#maxTicks) this.stop();
    if (this.#end.signal.cancelled) return done();
    this.#waiting = true;
    try {
      return await this.#nextTick();
    } finally {
      this.#waiting = false;
    }
  }

  /** Ends the iteration, with `value` as its result. */
  async return(value) {
    this.stop();
    return done(value);
  }

  /** Ends the iteration; a pending `next()` is done. Idempotent. */
  stop() {
    this.#unsubscribe();
    this.#end.cancel();
  }

  async #nextTick() {
    const waitMs = this.#dueMs - this.#clock.monotonicNowMs();
    if (waitMs > 0) {
      try {
        await clockDelay(this.#clock, Math.ceil(waitMs), this.#end.signal);
      } catch (error) {
        if (this.#end.signal.cancelled) return done();
        throw error;
      }
    }
    return { done: false, value: this.#tick() };
  }

  #tick() {
    const at = this.#clock.now();
    const nowMs = this.#clock.monotonicNowMs();
    const lateMs = Math.max(0, nowMs - this.#dueMs);
    const missed = Math.floor(lateMs / this.#intervalMs);
    this.#dueMs += (missed + 1) * this.#intervalMs;
    this.#index += 1;
    return Object.freeze({
      index: this.#index,
      at,
      scheduledAt: new Date(at.getTime() - lateMs),
    });
  }
}

/**
 * Ticks at a fixed rate, as an async iterator. Holds the process only while
 * a `next()` is pending. A cancelled signal ends the iteration; it does not
 * throw.
 *
 * @param {number | string} interval milliseconds, or "500ms", "5s", "2.5m",
 *   "1h"
 * @param {object} [options]
 * @param {boolean} [options.immediate] first tick at once; default false
 * @param {number} [options.maxTicks] default: no end
 * @param {object} [options.signal]
 * @param {object} [options.clock] default: the system's
 * @returns {Interval}
 * @throws {InvalidDeadlineError | TypeError} synchronously
 */
function interval(interval, options = undefined) {
  const intervalMs = readInterval('Time.interval', interval);
  const bag = takeOptions('Time.interval', options, [
    'immediate',
    'maxTicks',
    'signal',
    'clock',
  ]);
  return new Interval(intervalMs, {
    immediate: bag.immediate === true,
    maxTicks: positiveInteger('Time.interval maxTicks', bag.maxTicks, Infinity),
    signal: optionalSignal('Time.interval', bag.signal),
    clock:
      optionalClock('Time.interval', bag.clock, CLOCK_METHODS) ?? SYSTEM_CLOCK,
  });
}

module.exports = { interval };
