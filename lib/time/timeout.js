'use strict';

const { checkDelay } = require('../signals/deadline.js');
const {
  isSignalCancelled,
  onSignalCancel,
  readReason,
} = require('../signals/any-signal.js');
const { takeOptions } = require('../options/take-options.js');
const {
  optionalClock,
  optionalSignal,
  readDeadline,
} = require('../signals/time-arguments.js');
const { CancellationController, cancelledError } = require('./cancellation.js');
const { clockDelay } = require('./delay.js');
const {
  InvalidDeadlineError,
  TimeoutError,
} = require('../signals/time-errors.js');

const ignore = () => {};

function readLimit(bag, clock) {
  const { afterMs } = bag;
  const limitMs =
    afterMs === undefined || afterMs === Infinity
      ? Infinity
      : checkDelay('Time.timeout', afterMs);
  const remainingMs = readDeadline('Time.timeout', bag.deadline);
  if (clock !== undefined && (bag.deadline ?? undefined) !== undefined) {
    throw new InvalidDeadlineError(
      'Time.timeout cannot combine a deadline with an injected clock.',
    );
  }
  const earlierMs = Math.min(limitMs, remainingMs);
  if (earlierMs === Infinity) {
    throw new InvalidDeadlineError(
      'Time.timeout requires a finite afterMs or deadline.',
    );
  }
  return earlierMs;
}

/** A promise or value is adopted; a function is called with the signal. */
function startWork(target, signal) {
  if (typeof target !== 'function') return Promise.resolve(target);
  return new Promise((resolve) => {
    resolve(target(signal));
  });
}

function refuse(target, error) {
  // The caller's promise is dropped, so its late rejection must not count as
  // unhandled.
  if (typeof target !== 'function') Promise.resolve(target).catch(ignore);
  return Promise.reject(error);
}

/**
 * Settles like the work, unless time runs out or the signal is cancelled
 * first. Late results are dropped. A function gets a signal that is cancelled
 * in both cases, so that it can stop.
 *
 * @template T
 * @param {PromiseLike<T> | T | ((signal: object) => PromiseLike<T> | T)} target
 * @param {object} options
 * @param {number} [options.afterMs] 0 to 4294967295, rounded up
 * @param {{ remainingMs(): number } | number} [options.deadline] the earlier
 *   of the two counts; one of them must be finite
 * @param {object} [options.signal] rejects CancelledError
 * @param {object} [options.clock] default: the system's; not with `deadline`
 * @returns {Promise<T>} rejects TimeoutError when time runs out
 * @throws {InvalidDeadlineError} synchronously
 * @throws {TypeError} synchronously, for other bad options
 */
function timeout(target, options = undefined) {
  const bag = takeOptions('Time.timeout', options, [
    'afterMs',
    'deadline',
    'signal',
    'clock',
  ]);
  const signal = optionalSignal('Time.timeout', bag.signal);
  const clock = optionalClock('Time.timeout', bag.clock, ['delay']);
  const limitMs = readLimit(bag, clock);
  if (signal !== undefined && isSignalCancelled(signal)) {
    return refuse(target, cancelledError(readReason(signal)));
  }
  if (limitMs <= 0) return refuse(target, new TimeoutError());

  return race(target, limitMs, signal, clock);
}

function race(target, limitMs, signal, clock) {
  const work = new CancellationController();
  const timer = new CancellationController();
  return new Promise((resolve, reject) => {
    let over = false;
    let unsubscribe = ignore;
    const finish = (settle, value) => {
      if (over) return false;
      over = true;
      unsubscribe();
      timer.cancel();
      settle(value);
      return true;
    };
    const giveUp = (error) => {
      if (finish(reject, error)) work.cancel(error);
    };
    if (signal !== undefined) {
      unsubscribe = onSignalCancel(signal, () =>
        giveUp(cancelledError(readReason(signal))),
      );
    }
    clockDelay(clock, limitMs, timer.signal).then(
      () => giveUp(new TimeoutError()),
      (error) => finish(reject, error),
    );
    startWork(target, work.signal).then(
      (value) => finish(resolve, value),
      (error) => finish(reject, error),
    );
  });
}

module.exports = { timeout };
