'use strict';

const { isPlainObject } = require('../base/validate.js');
const { WORKER } = require('./option-sets.js');

/** Options of Node's `Worker` that isolates do not support. */
const NODE_OPTIONS = WORKER.names.filter(
  (name) => WORKER.rows[name].isolates === false,
);
// Node's names. The old generation is missing, because `memoryLimitMb` sets it.
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
  // Loaded late, because programs with isolates alone do not need it.
  const { SHARE_ENV } = require('node:worker_threads');
  if (value === SHARE_ENV) return value;
  // process.env is no plain object.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(
      `${name} must be an object of strings, or SHARE_ENV of ` +
        'node:worker_threads.',
    );
  }
  return { __proto__: null, ...value };
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
  return { __proto__: null, ...value };
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
 * @returns {object} a copy for Node's `Worker`
 * @throws {TypeError}
 */
function readNodeOptions(subject, bag, runtime) {
  const options = { __proto__: null };
  // By index, because pools without these options must work even if the
  // iterator of arrays was replaced.
  for (let i = 0; i < NODE_OPTIONS.length; i++) {
    const field = NODE_OPTIONS[i];
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

module.exports = { readNodeOptions };
