'use strict';

const {
  ceil,
  freeze,
  isFiniteNumber,
  isInteger,
  textIncludes,
  trim,
} = require('./primordials.js');
const { asksForRoom } = require('./stack-room.js');

// Captured, because `Object` may be replaced later.
const { getPrototypeOf, hasOwn, prototype: ObjectPrototype } = Object;
const { isArray } = Array;
// Reading options leads to regular expressions of Node's, which V8 compiles at
// the first calls.
const needRoom = asksForRoom();
const NO_OPTIONS = freeze({ __proto__: null });
const MAX_NAME_LENGTH = 128;
const hasForbidden = (name) =>
  textIncludes(name, '\0') ||
  textIncludes(name, '\r') ||
  textIncludes(name, '\n');

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
  if (prototype === null || prototype === ObjectPrototype) return true;
  // Another realm's Object.prototype ends its chain and has the methods.
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
    name === trim(name) &&
    !hasForbidden(name);
  if (!stable) {
    throw new TypeError(`${subject} name must be a non-empty stable string.`);
  }
  return name;
}

/**
 * Takes an option bag: a frozen shallow copy without a prototype, so that
 * neither later mutation nor a polluted Object.prototype has an effect.
 * Throws a RangeError near the end of the stack.
 *
 * @param {string} operation prefix of the error text, e.g. `WorkQueue.create`
 * @param {unknown} value `undefined` and `null` mean "no options"
 * @returns {Readonly<Record<string, unknown>>}
 * @throws {TypeError}
 */
function plainOptions(operation, value) {
  needRoom();
  if (value === undefined || value === null) return NO_OPTIONS;
  if (!isPlainObject(value)) {
    throw new TypeError(`${operation} options must be a plain object.`);
  }
  return freeze({ __proto__: null, ...value });
}

/**
 * Returns options without properties of the same names on Object.prototype.
 * Each check below costs nothing in optimized code.
 *
 * @param {unknown} options of a call, before the first is read
 * @returns {unknown}
 */
function ownOptions(options) {
  const { concurrency, deadline, drain, durationMs, input } = ObjectPrototype;
  const { modules, onMessage, path, priority, receipt } = ObjectPrototype;
  const { data, key, module, runTimeoutMs, signal } = ObjectPrototype;
  const { cancelGraceMs, timeoutMs, transfer, weight } = ObjectPrototype;
  const isClean =
    cancelGraceMs === undefined &&
    concurrency === undefined &&
    data === undefined &&
    deadline === undefined &&
    drain === undefined &&
    durationMs === undefined &&
    input === undefined &&
    key === undefined &&
    module === undefined &&
    modules === undefined &&
    onMessage === undefined &&
    path === undefined &&
    priority === undefined &&
    receipt === undefined &&
    runTimeoutMs === undefined &&
    signal === undefined &&
    timeoutMs === undefined &&
    transfer === undefined &&
    weight === undefined;
  return isClean || !isPlainObject(options)
    ? options
    : { __proto__: null, ...options };
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
  if (!isInteger(value) || value <= 0) {
    throw new TypeError(`${field} must be a positive integer.`);
  }
  return value;
}

/**
 * @param {unknown} timeoutMs finite, 0 or more; 0 is over at once
 * @param {string} [field] name in the error text
 * @returns {number} rounded up to whole milliseconds
 * @throws {TypeError}
 */
function checkTimeoutMs(timeoutMs, field = 'worker timeoutMs') {
  if (!isFiniteNumber(timeoutMs) || timeoutMs < 0) {
    throw new TypeError(`${field} must be finite and non-negative.`);
  }
  return ceil(timeoutMs);
}

/**
 * @param {string} field name in the error text
 * @param {unknown} runTimeoutMs 0 or more, or Infinity for no limit
 * @returns {number} rounded up to whole milliseconds
 * @throws {TypeError}
 */
function checkRunTimeoutMs(field, runTimeoutMs) {
  if (runTimeoutMs === Infinity) return Infinity;
  if (!isFiniteNumber(runTimeoutMs) || runTimeoutMs < 0) {
    throw new TypeError(`${field} must be non-negative, or Infinity.`);
  }
  return ceil(runTimeoutMs);
}

module.exports = {
  NO_OPTIONS,
  checkName,
  checkRunTimeoutMs,
  checkTimeoutMs,
  isPlainObject,
  ownOptions,
  plainOptions,
  positiveInteger,
};
