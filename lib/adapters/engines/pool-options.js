'use strict';

const { isPool } = require('./pools.js');
const { isWorthRetry } = require('./outcome.js');
const { checkNumber, checkType, readOptions } = require('./read-options.js');

/**
 * Reads the options of an engine's handler over a pool.
 *
 * @param {string} subject begins the errors' texts
 * @param {unknown} pool
 * @param {unknown} given
 * @param {readonly string[]} [more] names of other options
 * @returns {object} `taskOf(job)`, `timeoutMs`, `retry`, and the others
 * @throws {TypeError}
 */
function readPoolHandler(subject, pool, given, more = []) {
  if (!isPool(pool)) throw new TypeError(`${subject} takes a WorkerPool.`);
  const known = ['task', 'timeoutMs', 'retry', ...more];
  const options = readOptions(subject, given, known);
  const { task, timeoutMs, retry } = options;
  if (typeof task !== 'function') checkType(subject, 'task', task, 'string');
  if (typeof timeoutMs !== 'function') {
    checkNumber(subject, 'timeoutMs', timeoutMs);
  }
  checkType(subject, 'retry', retry, 'function');
  return {
    ...options,
    taskOf: (job, fallback) =>
      typeof task === 'function' ? task(job) : (task ?? fallback),
    timeoutOf: (job) =>
      typeof timeoutMs === 'function' ? timeoutMs(job) : timeoutMs,
    retry: retry ?? isWorthRetry,
  };
}

module.exports = { readPoolHandler };
