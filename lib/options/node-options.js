'use strict';

const { fileURLToPath } = require('node:url');

const { includes } = require('../base/primordials.js');
const { isPlainObject } = require('../base/validate.js');
const { WORKER } = require('./option-sets.js');

/** Options of threads and processes that isolates do not support. */
const NODE_OPTIONS = WORKER.names.filter(
  (name) => WORKER.rows[name].isolates === false,
);
const BOTH = ['thread', 'process'];
const named = (runtimes) => runtimes.map((each) => `"${each}"`).join(' or ');
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

function environment(name, value, runtime) {
  // Loaded late, because programs with isolates alone do not need it.
  const { SHARE_ENV } = require('node:worker_threads');
  if (value === SHARE_ENV && runtime === 'thread') return value;
  // process.env is no plain object.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(
      `${name} must be an object of strings, or with runtime "thread" ` +
        'SHARE_ENV of node:worker_threads.',
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

function directory(name, value) {
  const isPath = typeof value === 'string' && value !== '';
  if (isPath && !value.includes('\0')) return value;
  try {
    if (value instanceof URL) return fileURLToPath(value);
  } catch {
    // It is told below.
  }
  throw new TypeError(`${name} must be a path or a file: URL.`);
}

function output(name, value) {
  const isKnown = value === 'inherit' || value === 'ignore';
  if (isKnown || typeof value === 'function') return value;
  throw new TypeError(`${name} must be "inherit", "ignore" or a function.`);
}

const READERS = {
  __proto__: null,
  argv: texts,
  cwd: directory,
  stdio: output,
  env: environment,
  execArgv: texts,
  resourceLimits: limits,
};

/**
 * @param {string} subject `WorkerPool` or `Worker`, for error texts
 * @param {object} bag from `plainOptions`
 * @param {'isolate' | 'thread' | 'process'} runtime
 * @returns {object} a copy for Node's `Worker` or `spawn`
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
    const { runtimes = BOTH } = WORKER.rows[field];
    if (!includes(runtimes, runtime)) {
      const meant =
        field === 'resourceLimits' ? '; did you mean "memoryLimitMb"?' : '.';
      throw new TypeError(`${name} needs runtime ${named(runtimes)}${meant}`);
    }
    options[field] = READERS[field](name, value, runtime);
  }
  return options;
}

module.exports = { readNodeOptions };
