'use strict';
// Reads the value of an option as its row in the table says.

const { boundListener } = require('../base/bound-listener.js');
const { includes, isInteger } = require('../base/primordials.js');
const {
  checkRunTimeoutMs,
  checkTimeoutMs,
  positiveInteger,
} = require('../base/validate.js');
const { withHint } = require('../errors/hint.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');

/** A positive integer beyond the row's range is a limit that is exceeded. */
function exceedable(field, value, { least = 1, most }) {
  const limit = positiveInteger(field, value);
  if (limit >= least && limit <= most) return limit;
  const range = `${field} must be from ${least} to ${most}`;
  const error = workerError(
    Code.ResourceLimit,
    `worker memory/resource limit exceeded: ${range}`,
  );
  throw withHint(error, range);
}

function whole(field, value, row) {
  if (row.endless && value === Infinity) return value;
  if (row.exceeds) return exceedable(field, value, row);
  const { least = 1, most = Infinity } = row;
  if (least === 1 && most === Infinity) return positiveInteger(field, value);
  // Adding 0 makes 0 of -0.
  if (isInteger(value) && value >= least && value <= most) return value + 0;
  const to = most === Infinity ? ', or more' : ` to ${most}`;
  throw new TypeError(`${field} must be an integer from ${least}${to}.`);
}

const time = (field, value, { endless }) =>
  endless ? checkRunTimeoutMs(field, value) : checkTimeoutMs(value, field);

function flag(field, value) {
  if (typeof value === 'boolean') return value;
  throw new TypeError(`${field} must be a boolean.`);
}

function choice(field, value, { values }) {
  if (includes(values, value)) return value;
  let text = `"${values[0]}"`;
  for (let i = 1; i < values.length; i += 1) {
    text += `${i < values.length - 1 ? ',' : ' or'} "${values[i]}"`;
  }
  throw new TypeError(`${field} must be ${text}.`);
}

/** A function of the caller's, for `callListener`. */
function listener(field, value) {
  if (typeof value === 'function') return boundListener(value);
  throw new TypeError(`${field} must be a function.`);
}

const READERS = {
  __proto__: null,
  choice,
  flag,
  function: listener,
  time,
  whole,
};

/**
 * @param {string} field begins the error's text, e.g. `WorkerPool.workers`
 * @param {unknown} value given, not undefined
 * @param {object} row of the table
 * @returns {unknown} times are rounded up, functions bound to their context
 * @throws {TypeError}
 * @throws {SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED} beyond a range that
 *   `exceeds`
 */
const readValue = (field, value, row) => READERS[row.is](field, value, row);

module.exports = { readValue };
