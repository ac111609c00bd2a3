'use strict';
// Stands in for lib/base/own-time.js in tests that move the package's own
// limits on with Jest's timers:
// jest.mock('…/lib/base/own-time.js', () => require('…/fakeable-time.js'));

module.exports = {
  now: () => performance.now(),
  hrtime: process.hrtime.bigint,
  nextTick: (callback, ...values) => process.nextTick(callback, ...values),
  startImmediate: (callback, ...values) => setImmediate(callback, ...values),
  startTimer: (callback, ms) => setTimeout(callback, ms),
  stopTimer: (timer) => clearTimeout(timer),
};
