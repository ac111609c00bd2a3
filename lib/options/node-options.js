'use strict';

const { fileURLToPath } = require('node:url');

const { includes } = require('../base/primordials.js');
const { isPlainObject } = require('../base/validate.js');
const { WORKER } = require('./option-sets.js');

const ALL = ['isolate', 'thread', 'process'];
const NODES = ['thread', 'process'];
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

// The environment of one worker: an object with strings, or what becomes one.
function copyOf(name, value) {
  // process.env is no plain object.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${name} must be an object of strings.`);
  }
  return { __proto__: null, ...value };
}

function environment(name, value, runtime) {
  // Loaded late, because programs with isolates alone do not need it.
  const { SHARE_ENV } = require('node:worker_threads');
  if (value === SHARE_ENV && runtime === 'thread') return value;
  // Called for each place, see `environmentsOf`.
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(
      `${name} must be an object of strings, a function that returns one, or ` +
        'with runtime "thread" SHARE_ENV of node:worker_threads.',
    );
  }
  return copyOf(name, value);
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

/**
 * @param {string} subject `WorkerPool` or `Worker`, for error texts
 * @param {unknown} env the option
 * @param {number} count of workers
 * @param {object[]} [known] those of the first places
 * @returns {object[] | undefined} by place, of an option that is a function
 * @throws {unknown} what it throws
 * @throws {TypeError} for what is no environment
 */
function environmentsOf(subject, env, count, known = []) {
  if (typeof env !== 'function') return undefined;
  const all = [...known];
  while (all.length < count) {
    const place = all.length + 1;
    all.push(copyOf(`${subject}.env's result`, env({ place })));
  }
  return all;
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
const NAMES = WORKER.names.filter((name) => name in READERS);

/**
 * @param {string} subject `WorkerPool` or `Worker`, for error texts
 * @param {object} bag from `plainOptions`
 * @param {'isolate' | 'thread' | 'process'} runtime
 * @returns {object} a copy for Node's `Worker` or `spawn`, or an isolate
 * @throws {TypeError}
 */
function readNodeOptions(subject, bag, runtime) {
  const options = { __proto__: null };
  // Indexes serve, because pools without these options must work even if the
  // iterator of arrays was replaced.
  for (let i = 0; i < NAMES.length; i++) {
    const field = NAMES[i];
    const value = bag[field];
    if (value === undefined) continue;
    const name = `${subject}.${field}`;
    const { isolates, runtimes = isolates === false ? NODES : ALL } =
      WORKER.rows[field];
    if (!includes(runtimes, runtime)) {
      const meant =
        field === 'resourceLimits' ? '; did you mean "memoryLimitMb"?' : '.';
      throw new TypeError(`${name} needs runtime ${named(runtimes)}${meant}`);
    }
    options[field] = READERS[field](name, value, runtime);
  }
  return options;
}

module.exports = { environmentsOf, readNodeOptions };
