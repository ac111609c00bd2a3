'use strict';
// Node's clock and timers, captured while this file is loaded: limits and stops
// of the package are of real time, also where a test has replaced the timers.
// Only lib/time follows such a test (timers/fakeable-timers.js).

const { performance } = require('node:perf_hooks');
const { clearTimeout, setImmediate, setTimeout } = require('node:timers');

/** @returns {number} milliseconds, as `performance.now()` */
const now = performance.now.bind(performance);

module.exports = {
  now,
  /** @returns {bigint} nanoseconds, of one clock for all threads */
  hrtime: process.hrtime.bigint,
  nextTick: process.nextTick.bind(process),
  startImmediate: setImmediate,
  startTimer: setTimeout,
  stopTimer: clearTimeout,
};
