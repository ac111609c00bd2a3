'use strict';

const { checkDelay } = require('../signals/deadline.js');
const {
  isSignalCancelled,
  onSignalCancel,
  readReason,
} = require('../signals/any-signal.js');
const {
  fakeableNow,
  scheduleFakeable,
} = require('../timers/fakeable-timers.js');
const { takeOptions } = require('../options/take-options.js');
const {
  optionalClock,
  optionalSignal,
  readDeadline,
} = require('../signals/time-arguments.js');
const { cancelledError } = require('./cancellation.js');
const {
  InvalidDeadlineError,
  TimeoutError,
} = require('../signals/time-errors.js');

/**
 * Runs `start(settle)` as a promise that a signal can cut short. `start`
 * returns a function that gives up; it is not called for a cancelled signal.
 *
 * @param {object | undefined} signal
 * @param {(resolve: Function, reject: Function) => () => void} start
 * @returns {Promise<void>}
 */
function untilCancelled(signal, start) {
  if (signal === undefined) return new Promise(start);
  if (isSignalCancelled(signal)) {
    return Promise.reject(cancelledError(readReason(signal)));
  }
  return new Promise((resolve, reject) => {
    let over = false;
    let unsubscribe = null;
    const settled = (settle) => (value) => {
      over = true;
      unsubscribe?.();
      settle(value);
    };
    const giveUp = start(settled(resolve), settled(reject));
    if (over) return;
    unsubscribe = onSignalCancel(signal, () => {
      giveUp();
      reject(cancelledError(readReason(signal)));
    });
  });
}

/** A delay on the system's monotonic clock; holds the process. */
function systemDelay(ms, signal) {
  return untilCancelled(signal, (resolve) => {
    const timer = scheduleFakeable(fakeableNow() + ms, resolve);
    return () => timer.cancel();
  });
}

/**
 * A delay on any clock. A clock that ignores the signal it is given still
 * cannot hold the caller back.
 *
 * @param {{ delay(ms: number, options: object): Promise<void> }} [clock]
 *   default: the system's
 * @param {number} ms
 * @param {object} [signal]
 * @returns {Promise<void>} rejects with CancelledError
 */
function clockDelay(clock, ms, signal) {
  if (clock === undefined) return systemDelay(ms, signal);
  return untilCancelled(signal, (resolve, reject) => {
    const options = signal === undefined ? {} : { signal };
    Promise.resolve(clock.delay(ms, options)).then(() => resolve(), reject);
    return () => {};
  });
}

/**
 * Waits `ms` milliseconds. Holds the process while it waits.
 *
 * @param {number} ms 0 to 4294967295, rounded up
 * @param {object} [options]
 * @param {object} [options.signal] cancels the wait: rejects CancelledError
 * @param {{ remainingMs(): number } | number} [options.deadline] if it comes
 *   first: rejects TimeoutError
 * @param {object} [options.clock] default: the system's; not with `deadline`
 * @returns {Promise<void>}
 * @throws {InvalidDeadlineError} synchronously, for a bad `ms` or `deadline`,
 *   or a deadline together with a clock
 * @throws {TypeError} synchronously, for other bad options
 */
function delay(ms, options = undefined) {
  const delayMs = checkDelay('Time.delay', ms);
  const bag = takeOptions('Time.delay', options, [
    'signal',
    'deadline',
    'clock',
  ]);
  const signal = optionalSignal('Time.delay', bag.signal);
  const clock = optionalClock('Time.delay', bag.clock, ['delay']);
  const remainingMs = readDeadline('Time.delay', bag.deadline);
  if (clock !== undefined && (bag.deadline ?? undefined) !== undefined) {
    throw new InvalidDeadlineError(
      'Time.delay cannot combine a deadline with an injected clock.',
    );
  }
  if (remainingMs >= delayMs && remainingMs > 0) {
    return clockDelay(clock, delayMs, signal);
  }
  return delayUntilTimeout(remainingMs, signal);
}

async function delayUntilTimeout(remainingMs, signal) {
  // A cancelled signal is reported before an expired deadline.
  if (remainingMs > 0 || (signal !== undefined && isSignalCancelled(signal))) {
    await systemDelay(remainingMs, signal);
  }
  throw new TimeoutError();
}

module.exports = { clockDelay, delay, untilCancelled };
