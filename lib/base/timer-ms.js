'use strict';

/** The longest time of a timer of Node's. A longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const { min } = Math;

/**
 * @param {number} ms may be Infinity
 * @returns {number} what a timer can be started with
 */
const timerMs = (ms) => min(ms, MAX_TIMER_MS);

module.exports = { MAX_TIMER_MS, timerMs };
