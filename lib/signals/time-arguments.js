'use strict';

const { Deadline, MAX_DELAY_MS } = require('./deadline.js');
const { isSignal } = require('./any-signal.js');
const { InvalidDeadlineError } = require('./time-errors.js');
const { DOT, isDigit, skip } = require('../base/scan.js');

/** Methods that a schedule calls on its clock. */
const CLOCK_METHODS = ['now', 'monotonicNowMs', 'delay'];

const UNIT_MS = { __proto__: null, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** @returns {number} of a text such as "2.5m"; NaN for any other */
function durationOf(text) {
  let end = skip(text, 0, isDigit);
  if (end === 0) return Number.NaN;
  const point = end;
  if (text.charCodeAt(point) === DOT) {
    end = skip(text, point + 1, isDigit);
    if (end === point + 1) return Number.NaN;
  }
  return Number(text.slice(0, end)) * (UNIT_MS[text.slice(end)] ?? Number.NaN);
}

/**
 * @param {string} operation prefix of the error text
 * @param {unknown} signal
 * @returns {object | undefined}
 * @throws {TypeError}
 */
function checkSignal(operation, signal) {
  if (!isSignal(signal)) {
    throw new TypeError(
      `${operation} signal must be a cancellation signal or ` +
        'AbortSignal-like object.',
    );
  }
  return signal;
}

/** The same as `checkSignal`, with `undefined` for none. */
function optionalSignal(operation, signal) {
  return signal === undefined ? undefined : checkSignal(operation, signal);
}

/**
 * @param {string} operation prefix of the error text
 * @param {unknown} deadline object with `remainingMs()`, or milliseconds from
 *   now; `undefined` and `null` mean none
 * @returns {number} milliseconds left, 0 or more, Infinity for none
 * @throws {InvalidDeadlineError}
 */
function readDeadline(operation, deadline) {
  if (deadline === undefined || deadline === null) return Infinity;
  if (typeof deadline === 'number')
    return Deadline.after(deadline).remainingMs();
  const remainingMs =
    typeof deadline === 'object' && typeof deadline.remainingMs === 'function'
      ? deadline.remainingMs()
      : Number.NaN;
  if (typeof remainingMs !== 'number' || !(remainingMs > -Infinity)) {
    throw new InvalidDeadlineError(
      `${operation} deadline must expose remainingMs().`,
    );
  }
  return Math.max(0, remainingMs);
}

/**
 * @param {string} operation prefix of the error text
 * @param {unknown} clock
 * @param {string[]} methods that the operation calls on it
 * @returns {object | undefined}
 * @throws {TypeError}
 */
function optionalClock(operation, clock, methods) {
  if (clock === undefined) return undefined;
  const fits =
    typeof clock === 'object' &&
    clock !== null &&
    methods.every((method) => typeof clock[method] === 'function');
  if (!fits) {
    throw new TypeError(
      `${operation} clock must have the methods ${methods.join(', ')}.`,
    );
  }
  return clock;
}

/**
 * @param {string} operation prefix of the error text
 * @param {unknown} interval milliseconds, or a text such as "500ms", "5s",
 *   "2.5m", "1h"
 * @returns {number} whole milliseconds, 1 or more
 * @throws {InvalidDeadlineError}
 */
function readInterval(operation, interval) {
  let ms = interval;
  if (typeof interval === 'string') {
    ms = durationOf(interval);
  }
  if (typeof ms !== 'number' || !(ms > 0 && ms <= MAX_DELAY_MS)) {
    throw new InvalidDeadlineError(
      `${operation} requires a positive millisecond interval no greater ` +
        `than ${MAX_DELAY_MS}, or a duration such as "500ms", "5s", "2.5m" ` +
        'or "1h".',
    );
  }
  return Math.ceil(ms);
}

module.exports = {
  CLOCK_METHODS,
  checkSignal,
  optionalClock,
  optionalSignal,
  readDeadline,
  readInterval,
};
