'use strict';
// The clock and the timers of lib/time. They are looked up each time, so that
// tests which replace the global ones (Jest, node:test, Sinon) move them on.

const ownTime = require('../base/own-time.js');
const { TimerHeap } = require('./timer-heap.js');

/** @returns {number} milliseconds of the current `performance.now()` */
function fakeableNow() {
  try {
    const at = performance.now();
    if (typeof at === 'number') return at;
  } catch {}
  return ownTime.now();
}

function startTimer(callback, ms) {
  try {
    const timer = setTimeout(callback, ms);
    if (typeof timer?.unref === 'function') return timer;
    // A browser's, which would hold the process.
    clearTimeout(timer);
  } catch {}
  return ownTime.startTimer(callback, ms);
}

function stopTimer(timer) {
  try {
    clearTimeout(timer);
  } catch {}
  ownTime.stopTimer(timer);
}

const timers = new TimerHeap({ now: fakeableNow, startTimer, stopTimer });

/** The `schedule` of timer-heap.js, at an instant of `fakeableNow()`. */
const scheduleFakeable = (expiresAtMs, fire, options) =>
  timers.schedule(expiresAtMs, fire, options);

module.exports = { fakeableNow, scheduleFakeable };
