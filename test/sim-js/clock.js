'use strict';
// Stands in for lib/base/own-time.js: a clock that only the simulation moves,
// and timers that fire when it says so.

class Timer {
  isRef = true;

  constructor(callback, at, ms, order) {
    this.callback = callback;
    this.at = at;
    this.ms = ms;
    this.order = order;
  }

  ref() {
    this.isRef = true;
    return this;
  }

  unref() {
    this.isRef = false;
    return this;
  }

  refresh() {
    this.at = clock.at + this.ms;
    return this;
  }
}

const timers = new Set();
let immediates = [];
let order = 0;

const clock = {
  at: 1000,
  /** Armed timers of Node. */
  timers,

  get hasImmediates() {
    return immediates.length > 0;
  },

  runImmediates() {
    const now = immediates;
    immediates = [];
    for (const run of now) run();
  },

  /** @returns {Timer | undefined} the one that is due first */
  next() {
    let first;
    for (const timer of timers) {
      if (
        first === undefined ||
        timer.at < first.at ||
        (timer.at === first.at && timer.order < first.order)
      ) {
        first = timer;
      }
    }
    return first;
  },

  /** @returns {boolean} whether a timer was due, and has fired */
  fireDue() {
    const timer = this.next();
    if (timer === undefined || timer.at > this.at) return false;
    timers.delete(timer);
    timer.callback();
    return true;
  },
};

const ownTime = {
  now: () => clock.at,
  hrtime: () => BigInt(Math.round(clock.at * 1e6)),
  nextTick: process.nextTick.bind(process),
  startImmediate: (callback, ...values) =>
    immediates.push(() => callback(...values)),
  startTimer(callback, ms) {
    order += 1;
    const timer = new Timer(callback, clock.at + Math.max(1, ms), ms, order);
    timers.add(timer);
    return timer;
  },
  stopTimer: (timer) => timers.delete(timer),
};

module.exports = { clock, ownTime };
