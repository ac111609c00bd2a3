'use strict';

const { onSignalCancel, readReason } = require('../signals/any-signal.js');
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

/**
 * A handler on a schedule. Due times are multiples of the interval from the
 * start (or from `resume()`), so runs do not drift.
 *
 * 1. Each wait has its own controller: pausing and stopping end the wait,
 *    never a running handler; stopping also cancels the handlers' signal.
 * 2. The job is over when it is stopped and no handler runs any more.
 */
class ScheduledJob {
  #intervalMs;
  #handler;
  #clock;
  #noOverlap;
  #maxRuns;
  #controller = new CancellationController();
  #unsubscribe = null;
  #wait = null;
  #over;
  #resolveOver;
  #active = 0;
  #paused = false;
  #stopped = false;
  #dueMs;
  #runs = 0;
  #skippedRuns = 0;
  #lastError = undefined;

  constructor(intervalMs, handler, options) {
    this.#intervalMs = intervalMs;
    this.#handler = handler;
    this.#clock = options.clock;
    this.#noOverlap = options.noOverlap;
    this.#maxRuns = options.maxRuns;
    this.#over = new Promise((resolve) => {
      this.#resolveOver = resolve;
    });
    const now = this.#clock.monotonicNowMs();
    this.#dueMs = options.immediate ? now : now + intervalMs;
    Object.freeze(this);
    if (options.signal !== undefined) this.#follow(options.signal);
    this.#schedule();
  }

  /** Neither paused nor stopped: further runs will come. */
  get running() {
    return !this.#stopped && !this.#paused;
  }

  /** Stopped by `stop()`, the signal, `maxRuns` or its clock's end. */
  get stopped() {
    return this.#stopped;
  }

  /** Due times that passed while a handler ran or the thread was busy. */
  get skippedRuns() {
    return this.#skippedRuns;
  }

  /** The error of the last run that failed, if any. */
  get lastError() {
    return this.#lastError;
  }

  /** @returns {Date | undefined} undefined while paused and once stopped */
  get nextRun() {
    if (!this.running) return undefined;
    const inMs = Math.max(0, this.#dueMs - this.#clock.monotonicNowMs());
    return new Date(this.#clock.now().getTime() + inMs);
  }

  /** No further runs until `resume()`. A running handler goes on. */
  pause() {
    if (!this.running) return;
    this.#paused = true;
    this.#wait?.cancel();
  }

  /** Next run one interval from now. */
  resume() {
    if (this.#stopped || !this.#paused) return;
    this.#paused = false;
    this.#dueMs = this.#clock.monotonicNowMs() + this.#intervalMs;
    this.#schedule();
  }

  /**
   * Cancels the handlers' signal; no further runs. Never rejects.
   *
   * @param {unknown} [reason] default `"stopped"`
   * @returns {Promise<void>} resolves when no handler runs any more
   */
  stop(reason = 'stopped') {
    if (!this.#stopped) {
      this.#end();
      try {
        this.#controller.cancel(reason);
      } catch (error) {
        this.#lastError = error;
      }
    }
    return this.#over;
  }

  [Symbol.asyncDispose]() {
    return this.stop();
  }

  #follow(signal) {
    const unsubscribe = onSignalCancel(signal, () =>
      this.stop(readReason(signal)),
    );
    if (this.#stopped) return;
    this.#unsubscribe = unsubscribe;
  }

  #end() {
    this.#stopped = true;
    this.#unsubscribe?.();
    this.#wait?.cancel();
    if (this.#active === 0) this.#resolveOver();
  }

  #schedule() {
    const blocked = this.#noOverlap && this.#active > 0;
    if (!this.running || blocked) return;
    const wait = new CancellationController();
    this.#wait = wait;
    const waitMs = this.#dueMs - this.#clock.monotonicNowMs();
    clockDelay(this.#clock, Math.max(0, Math.ceil(waitMs)), wait.signal).then(
      () => {
        if (!wait.signal.cancelled) this.#run();
      },
      (error) => {
        if (!wait.signal.cancelled) this.#fail(error);
      },
    );
  }

  /** The clock gave up, so there is no next run to wait for. */
  #fail(error) {
    this.#lastError = error;
    this.stop(error);
  }

  async #run() {
    const context = this.#beginRun();
    if (!this.#noOverlap) this.#afterRun();
    try {
      await this.#handler.call(undefined, context);
    } catch (error) {
      this.#lastError = error;
    }
    this.#active -= 1;
    if (this.#stopped) {
      if (this.#active === 0) this.#resolveOver();
    } else if (this.#noOverlap) {
      this.#afterRun();
    }
  }

  #beginRun() {
    const startedAt = this.#clock.now();
    const lateMs = Math.max(0, this.#clock.monotonicNowMs() - this.#dueMs);
    this.#wait = null;
    this.#active += 1;
    this.#runs += 1;
    this.#dueMs += this.#intervalMs;
    return Object.freeze({
      signal: this.#controller.signal,
      scheduledAt: new Date(startedAt.getTime() - lateMs),
      startedAt,
      run: this.#runs,
      skippedRuns: this.#skippedRuns,
    });
  }

  #afterRun() {
    if (this.#runs >= this.#maxRuns) {
      this.#end();
      return;
    }
    const lateMs = this.#clock.monotonicNowMs() - this.#dueMs;
    if (lateMs > 0) {
      const missed = Math.ceil(lateMs / this.#intervalMs);
      this.#skippedRuns += missed;
      this.#dueMs += missed * this.#intervalMs;
    }
    this.#schedule();
  }
}

function checkPolicy(policy = 'skip') {
  if (policy !== 'skip') {
    throw new TypeError('Time.every missedRunPolicy must be "skip".');
  }
}

/**
 * Runs a handler at a fixed rate. An error it throws is kept in `lastError`,
 * and the schedule goes on. Holds the process until it is stopped or paused.
 *
 * @param {number | string} interval as in `Time.interval`
 * @param {(context: object) => unknown} handler gets a frozen
 *   `{ signal, scheduledAt, startedAt, run, skippedRuns }`
 * @param {object} [options]
 * @param {boolean} [options.immediate] first run at once; default false
 * @param {boolean} [options.noOverlap] wait for a handler before the next
 *   run; default true
 * @param {number} [options.maxRuns] default: no end
 * @param {'skip'} [options.missedRunPolicy] due times that passed are counted
 *   in `skippedRuns` and not made up for
 * @param {object} [options.signal] stops the job
 * @param {object} [options.clock] default: the system's
 * @returns {ScheduledJob}
 * @throws {InvalidDeadlineError | TypeError} synchronously
 */
function every(interval, handler, options = undefined) {
  const intervalMs = readInterval('Time.every', interval);
  if (typeof handler !== 'function') {
    throw new TypeError('Time.every requires a handler function.');
  }
  const bag = takeOptions('Time.every', options, [
    'immediate',
    'noOverlap',
    'maxRuns',
    'missedRunPolicy',
    'signal',
    'clock',
  ]);
  checkPolicy(bag.missedRunPolicy);
  return new ScheduledJob(intervalMs, handler, {
    immediate: bag.immediate === true,
    noOverlap: bag.noOverlap !== false,
    maxRuns: positiveInteger('Time.every maxRuns', bag.maxRuns, Infinity),
    signal: optionalSignal('Time.every', bag.signal),
    clock:
      optionalClock('Time.every', bag.clock, CLOCK_METHODS) ?? SYSTEM_CLOCK,
  });
}

module.exports = { every };
