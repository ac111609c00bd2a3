'use strict';

// Captured: what becomes of `Object` later is no business of ours.
const { getPrototypeOf, hasOwn } = Object;
const { isArray } = Array;
const NO_OPTIONS = Object.freeze({ __proto__: null });
const MAX_NAME_LENGTH = 128;
const FORBIDDEN_IN_NAMES = ['\0', '\r', '\n'];

/**
 * True for `{}`-like objects and null-prototype objects of any realm.
 *
 * @param {unknown} value
 * @returns {boolean}
 */
function isPlainObject(value) {
  if (typeof value !== 'object' || value === null || isArray(value)) {
    return false;
  }
  const prototype = getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  // Another realm's Object.prototype: the end of its chain, with the methods.
  return (
    getPrototypeOf(prototype) === null && hasOwn(prototype, 'isPrototypeOf')
  );
}

/**
 * Checks a resource name: 1..128 UTF-16 units, trimmed, no NUL, CR or LF.
 *
 * @param {string} subject `BackgroundService`, `WorkQueue` or `WorkerPool`
 * @param {unknown} name
 * @returns {string} the name
 * @throws {TypeError}
 */
function checkName(subject, name) {
  const stable =
    typeof name === 'string' &&
    name.length > 0 &&
    name.length <= MAX_NAME_LENGTH &&
    name === name.trim() &&
    !FORBIDDEN_IN_NAMES.some((character) => name.includes(character));
  if (!stable) {
    throw new TypeError(`${subject} name must be a non-empty stable string.`);
  }
  return name;
}

/**
 * Takes an option bag: a frozen shallow copy without a prototype, so that
 * neither later mutation nor a polluted Object.prototype has an effect.
 *
 * @param {string} operation prefix of the error text, e.g. `WorkQueue.create`
 * @param {unknown} value `undefined` and `null` mean "no options"
 * @returns {Readonly<Record<string, unknown>>}
 * @throws {TypeError}
 */
function plainOptions(operation, value) {
  if (value === undefined || value === null) return NO_OPTIONS;
  if (!isPlainObject(value)) {
    throw new TypeError(`${operation} options must be a plain object.`);
  }
  return Object.freeze({ __proto__: null, ...value });
}

/**
 * @param {string} field name in the error text, e.g. `WorkQueue.maxQueued`
 * @param {unknown} value
 * @param {number} fallback used for `undefined` only
 * @returns {number}
 * @throws {TypeError}
 */
function positiveInteger(field, value, fallback) {
  if (value === undefined) return fallback;
  if (!Number.isInteger(value) || value <= 0) {
    throw new TypeError(`${field} must be a positive integer.`);
  }
  return value;
}

/**
 * @param {unknown} timeoutMs finite, 0 or more; 0 is over at once
 * @returns {number} rounded up to whole milliseconds
 * @throws {TypeError}
 */
function checkTimeoutMs(timeoutMs) {
  if (!Number.isFinite(timeoutMs) || timeoutMs < 0) {
    throw new TypeError('worker timeoutMs must be finite and non-negative.');
  }
  return Math.ceil(timeoutMs);
}

module.exports = {
  NO_OPTIONS,
  checkName,
  checkTimeoutMs,
  isPlainObject,
  plainOptions,
  positiveInteger,
};
