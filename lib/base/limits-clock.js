'use strict';
// The clock of time limits: that of performance.now(), which stands still while
// a debugger holds a worker (src/base/limits_clock.h). One clock for all limits
// of this copy of the library, because jobs that wait for a held worker cannot
// get on either.

const { max, now } = require('./primordials.js');

// The time between two looks at a limit while time stands still.
const LOOK_MS = 20;

/** The addon's, from the first debugger on. */
let debug = null;

/** @returns {number} milliseconds that the clock is behind performance.now() */
const heldMs = () => (debug === null ? 0 : debug.heldMs());

/** @returns {number} the instant of this clock, in milliseconds */
const limitsNow = () => (debug === null ? now() : now() - debug.heldMs());

/**
 * @param {number} expiresAt instant of this clock, finite
 * @returns {number} when to look at it, an instant of performance.now(). It may
 *   turn out to be too early.
 */
function lookAt(expiresAt) {
  if (debug === null) return expiresAt;
  const due = expiresAt + debug.heldMs();
  return debug.isHeld() ? max(due, now() + LOOK_MS) : due;
}

/** @param {{ heldMs(): number, isHeld(): boolean }} addon its debug calls */
function holdLimitsFor(addon) {
  debug = addon;
}

module.exports = { heldMs, holdLimitsFor, limitsNow, lookAt };
