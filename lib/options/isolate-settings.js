'use strict';

const { resolve } = require('node:path');

const { allowsCodeFromText } = require('../base/code-from-text.js');
const { includes } = require('../base/primordials.js');
const { Carry } = require('../protocol/codec/grammar.js');
const { POOL, SHARED, WORKER } = require('./option-sets.js');
const { environmentsOf, readNodeOptions } = require('./node-options.js');

/** @returns {string | undefined} an absolute path */
function codeCache(subject, value) {
  if (value === undefined || value === false) return undefined;
  if (typeof value !== 'string' || value === '' || value.includes('\0')) {
    throw new TypeError(
      `${subject}.codeCache must be the path of a directory, or false.`,
    );
  }
  return resolve(value);
}

/** @returns {number} one of Carry */
function carry(payload, allowWasm) {
  if (payload === 'plain') return Carry.PLAINLY;
  return allowWasm ? Carry.CLONED : Carry.CLONED_DATA;
}

// Whether threads and processes have another value than this one. One of the wrong kind is
// refused later, as such.
function isBeyondThreads({ is, threads, values }, value) {
  if (value === undefined || value === null || value === threads) return false;
  if (is === 'flag') return typeof value === 'boolean';
  return is !== 'choice' || includes(values, value);
}

// All options of pools: some are not a Worker's, which refuses them before.
function refuseForNode(subject, bag, runtime) {
  const { names, rows } = POOL;
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    const row = rows[name];
    if (row.threads === undefined || !isBeyondThreads(row, bag[name])) continue;
    throw new TypeError(
      `${subject}.${name} needs isolates: with runtime "${runtime}" Node has ` +
        'no such limit.',
    );
  }
}

// Loaded late, because few pools have one.
function sandboxOf(subject, bag, runtime) {
  const { sandbox } = bag;
  if (sandbox === undefined || sandbox === false) return undefined;
  return require('./sandbox.js').readSandbox(subject, bag, runtime);
}

/**
 * The limits and permissions that pools and workers have in common.
 *
 * @param {string} subject `WorkerPool` or `Worker`, for error texts
 * @param {object} bag from `plainOptions`
 * @throws {TypeError} for a value of the wrong kind
 * @throws {SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED} for one out of range
 */
function readIsolateSettings(subject, bag) {
  const runtime = WORKER.read(subject, bag, 'runtime');
  if (runtime !== 'isolate') refuseForNode(subject, bag, runtime);
  const sandbox = sandboxOf(subject, bag, runtime);
  const nodeOptions = readNodeOptions(subject, bag, runtime);
  const { env } = bag;
  const workers = subject === 'Worker' ? 1 : (bag.workers ?? 1);
  const environments = environmentsOf(subject, env, workers);
  const settings = { __proto__: null, runtime, sandbox, nodeOptions };
  settings.environments = environments;
  settings.makeEnvironment = environments && env;
  for (let i = 0; i < SHARED.length; i++) {
    const name = SHARED[i];
    settings[name] = WORKER.read(subject, bag, name);
  }
  if (sandbox !== undefined) settings.runtime = 'sandbox';
  settings.codeCache = codeCache(subject, bag.codeCache);
  if (bag.allowEval === undefined) settings.allowEval = allowsCodeFromText();
  settings.carry = carry(settings.payload, settings.allowWasm);
  return settings;
}

/**
 * Makes the environments of more workers, before a pool has them.
 *
 * @param {object} settings of the pool, which are changed
 * @param {number} workers
 * @throws {unknown} what the option `env` throws; nothing is changed then
 */
function growEnvironments(subject, settings, workers) {
  const { environments, makeEnvironment } = settings;
  settings.environments = environmentsOf(
    subject,
    makeEnvironment,
    workers,
    environments,
  );
}

module.exports = { growEnvironments, readIsolateSettings };
