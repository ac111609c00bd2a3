'use strict';

/** The module `sloppy-workers/time`: deadlines, delays, clocks, schedules. */

const { Deadline } = require('./signals/deadline.js');
const { CancellationController } = require('./time/cancellation.js');
const { systemClock } = require('./time/clock.js');
const { delay } = require('./time/delay.js');
const {
  CancelledError,
  InvalidDeadlineError,
  TimeoutError,
  TimerDisposedError,
} = require('./signals/time-errors.js');
const { every } = require('./time/every.js');
const { fakeClock } = require('./time/fake-clock.js');
const { interval } = require('./time/interval.js');
const { timeout } = require('./time/timeout.js');

/** Lets the event loop turn once: timers, I/O and messages get their chance. */
function yieldToLoop() {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

const Time = Object.freeze({
  delay,
  every,
  fakeClock,
  interval,
  systemClock,
  timeout,
  yield: yieldToLoop,
});

module.exports = {
  CancellationController,
  CancelledError,
  Deadline,
  InvalidDeadlineError,
  Time,
  TimeoutError,
  TimerDisposedError,
};
