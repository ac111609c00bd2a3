'use strict';
// A process's words before its end come through its pipes, which may be read
// after the end is told, or not at all.

const { now, startImmediate } = require('../../base/own-time.js');
const { schedule } = require('../../timers/timer-heap.js');

const LAST_WORDS_MS = 100;
// A process that ends closes its socket first, and on a busy machine it may take
// seconds from there: its exit code says why it has ended.
const ENDING_MS = 5000;
const LOOSE = { __proto__: null, ref: false };

/** Calls it when what has come until now is read, although this thread was busy. */
const afterReads = (call) => startImmediate(() => startImmediate(call));

/** @returns {object} a timer that calls it when there was time for last words */
const afterLastWords = (call) => schedule(now() + LAST_WORDS_MS, call, LOOSE);

/**
 * @param {(error: Error) => void} call what has closed its socket goes on
 * @returns {object} a timer that calls it when it should have ended
 */
function afterEnding(call) {
  const goesOn = () => call(new Error('the end of its socket, and went on'));
  return schedule(now() + ENDING_MS, goesOn, LOOSE);
}

module.exports = { afterEnding, afterLastWords, afterReads };
