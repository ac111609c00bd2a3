'use strict';

const { checkDelay } = require('../signals/deadline.js');
const { takeOptions } = require('../options/take-options.js');
const { optionalSignal } = require('../signals/time-arguments.js');
const { clockDelay } = require('./delay.js');
const { fakeableNow } = require('../timers/fakeable-timers.js');

const SYSTEM_CLOCK = Object.freeze({
  kind: 'system',
  /** @returns {Date} wall clock */
  now: () => new Date(),
  /** @returns {number} monotonic milliseconds, arbitrary origin */
  monotonicNowMs: () => fakeableNow(),
  /** The same as `Time.delay(ms, { signal })`. */
  delay(ms, options = undefined) {
    const delayMs = checkDelay('Clock.delay', ms);
    const { signal } = takeOptions('Clock.delay', options, ['signal']);
    return clockDelay(
      undefined,
      delayMs,
      optionalSignal('Clock.delay', signal),
    );
  },
});

/** @returns the system's clock: `{ kind, now, monotonicNowMs, delay }` */
function systemClock() {
  return SYSTEM_CLOCK;
}

module.exports = { SYSTEM_CLOCK, systemClock };
