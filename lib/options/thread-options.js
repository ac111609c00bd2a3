'use strict';

const { isPlainObject } = require('../base/validate.js');

/** What Node's `Worker` takes and isolates have no use for. */
const THREAD_OPTIONS = ['argv', 'env', 'execArgv', 'resourceLimits'];
// Node's own names. The old generation is what `memoryLimitMb` is about.
const RESOURCE_LIMITS = [
  'codeRangeSizeMb',
  'maxYoungGenerationSizeMb',
  'stackSizeMb',
];

function texts(name, value) {
  const isList = Array.isArray(value);
  if (!isList || !value.every((text) => typeof text === 'string')) {
    throw new TypeError(`${name} must be an array of strings.`);
  }
  return [...value];
}

function environment(name, value) {
  // Programs with isolates alone need not load it.
  const { SHARE_ENV } = require('node:worker_threads');
  if (value === SHARE_ENV) return value;
  // process.env is no plain object.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(
      `${name} must be an object of strings, or SHARE_ENV of ` +
        'node:worker_threads.',
    );
  }
  return { ...value };
}

function limits(name, value) {
  if (!isPlainObject(value)) {
    throw new TypeError(`${name} must be a plain object.`);
  }
  for (const [key, limit] of Object.entries(value)) {
    if (!RESOURCE_LIMITS.includes(key)) {
      const advice =
        key === 'maxOldGenerationSizeMb'
          ? 'is what memoryLimitMb sets'
          : `is none of ${RESOURCE_LIMITS.join(', ')}`;
      throw new TypeError(`${name}.${key} ${advice}.`);
    }
    if (typeof limit !== 'number' || !(limit > 0 && limit < Infinity)) {
      throw new TypeError(`${name}.${key} must be a positive number.`);
    }
  }
  return { ...value };
}

const READERS = {
  __proto__: null,
  argv: texts,
  env: environment,
  execArgv: texts,
  resourceLimits: limits,
};

/**
 * @param {string} subject `WorkerPool` or `Worker`, for error texts
 * @param {object} bag from `plainOptions`
 * @param {'isolate' | 'thread'} runtime
 * @returns {object} what Node's `Worker` gets, copied
 * @throws {TypeError}
 */
function readThreadOptions(subject, bag, runtime) {
  const options = {};
  // By index, because most pools have none of them: what has replaced the
  // iterator of arrays is no concern of theirs.
  for (let i = 0; i < THREAD_OPTIONS.length; i++) {
    const field = THREAD_OPTIONS[i];
    const value = bag[field];
    if (value === undefined) continue;
    const name = `${subject}.${field}`;
    if (runtime !== 'thread') {
      const meant =
        field === 'resourceLimits' ? '; did you mean "memoryLimitMb"?' : '.';
      throw new TypeError(`${name} needs runtime "thread"${meant}`);
    }
    options[field] = READERS[field](name, value);
  }
  return options;
}

module.exports = { THREAD_OPTIONS, readThreadOptions };
