'use strict';

const { existsSync } = require('node:fs');
const { extname, join, resolve } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');

const { isPool } = require('../engines/pools.js');
const {
  checkNumber,
  checkType,
  readOptions,
} = require('../engines/read-options.js');
const { isWorthRetry } = require('../engines/outcome.js');
const { checkName } = require('../../base/validate.js');
const { PROCESSOR } = require('../../options/option-sets.js');

const FOR_ALL = ['timeoutMs', 'task', 'retry', 'closeTimeoutMs'];
const OWN = [...FOR_ALL, 'logs', 'name'];
/**
 * Refused, because the sandbox file is the module and the job object is its
 * host.
 */
const TAKEN = ['module', 'init', 'host'];
const OF_POOLS = PROCESSOR.names;
/** Reads the name of a sandbox file as BullMQ's Worker does. */
const EXTENSIONS = ['.js', '.ts', '.flow', '.cjs', '.mjs', '.mts', '.cts'];
const CLOSE_TIMEOUT_MS = 5000;
const SANDBOX = pathToFileURL(join(__dirname, 'sandbox.mjs'));

function fileOf(target) {
  if (target instanceof URL) {
    if (target.protocol !== 'file:') {
      throw new TypeError('processor URL must be a file: URL.');
    }
    return fileURLToPath(target);
  }
  const file = target.startsWith('file:')
    ? fileURLToPath(target)
    : resolve(target);
  return EXTENSIONS.includes(extname(file)) ? file : `${file}.js`;
}

function readFile(target) {
  const file = fileOf(target);
  if (existsSync(file)) return pathToFileURL(file).href;
  throw new Error(`processor: the file ${file} does not exist.`);
}

/** One value for every job, or a function of the job. */
function perJob(name, value, type) {
  if (typeof value === 'function') return value;
  const checked =
    type === 'number'
      ? checkNumber('processor', name, value)
      : checkType('processor', name, value, type);
  return () => checked;
}

function refuseTaken(options) {
  for (const name of TAKEN) {
    if (options?.[name] === undefined) continue;
    throw new TypeError(
      `processor has no option "${name}" for a file; make a pool with it: ` +
        'processor(WorkerPool.create(name, { module, … })).',
    );
  }
}

function readLogs({ logs, concurrentJobsPerWorker = 1 }) {
  checkType('processor', 'logs', logs, 'boolean');
  if (logs && concurrentJobsPerWorker > 1) {
    throw new TypeError(
      'processor logs needs concurrentJobsPerWorker 1: what several jobs of ' +
        'a worker print cannot be told apart.',
    );
  }
  return logs === true;
}

const readCloseTimeout = (value = CLOSE_TIMEOUT_MS) =>
  value === Infinity
    ? value
    : checkNumber('processor', 'closeTimeoutMs', value);

const isFile = (target) => typeof target === 'string' || target instanceof URL;

/**
 * @param {string | URL | WorkerPool} target
 * @param {object} [given] see docs/bullmq.md
 * @returns {object} frozen; `pool` is the caller's, or undefined for a file,
 *   which then has `file` and `poolOptions`
 * @throws {TypeError}
 * @throws {Error} there is no such file
 */
function readProcessorOptions(target, given) {
  const ofFile = isFile(target);
  if (!ofFile && !isPool(target)) {
    throw new TypeError('processor takes a file, a URL or a WorkerPool.');
  }
  if (ofFile) refuseTaken(given);
  const options = ofFile
    ? readOptions('processor', given, [...OWN, ...OF_POOLS])
    : readOptions(
        'processor of a pool',
        given,
        FOR_ALL,
        ' The pool has its own options.',
      );
  const own = {
    timeoutMs: perJob('timeoutMs', options.timeoutMs, 'number'),
    task: perJob('task', options.task ?? undefined, 'string'),
    hasTask: options.task !== undefined,
    retry: checkType('processor', 'retry', options.retry, 'function'),
    closeTimeoutMs: readCloseTimeout(options.closeTimeoutMs),
    logs: readLogs(options),
    name: checkName('processor', options.name ?? 'bullmq'),
  };
  own.retry ??= isWorthRetry;
  if (!ofFile) return Object.freeze({ ...own, pool: target });
  const poolOptions = Object.fromEntries(
    Object.entries(options).filter(([name]) => OF_POOLS.includes(name)),
  );
  return Object.freeze({ ...own, file: readFile(target), poolOptions });
}

module.exports = { SANDBOX, readProcessorOptions };
