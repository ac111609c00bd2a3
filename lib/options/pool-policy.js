'use strict';

const { ownKeys } = require('../protocol/codec/captured.js');
const { readModulePath } = require('../entries/module-path.js');
const { DEFAULT_MAX_QUEUED_BYTES } = require('../admission/places.js');
const { readInit } = require('./init.js');
const { readOverflow } = require('./overflow.js');
const {
  flag,
  listener,
  readIsolateSettings,
} = require('./isolate-settings.js');
const { POOL_OPTIONS } = require('./names.js');
const { refuseMistaken } = require('./mistaken-options.js');
const {
  checkName,
  isPlainObject,
  plainOptions,
  positiveInteger,
} = require('../base/validate.js');
const { freeze } = require('../base/primordials.js');

const DEFAULT_MAX_QUEUED = 64;
// Added to the addon's bound, so that admission always refuses first, even
// after `resize` added workers.
const NATIVE_SLACK = 2 ** 20;

function readMinWorkers(subject, value, workers) {
  if (value === undefined || value === 0) return 0;
  const minimum = positiveInteger(`${subject}.minWorkers`, value);
  if (minimum > workers) {
    throw new TypeError(`${subject}.minWorkers must not exceed workers.`);
  }
  return minimum;
}

function holdsFunctions(host) {
  const names = ownKeys(host);
  for (let i = 0; i < names.length; i++) {
    if (typeof host[names[i]] !== 'function') return false;
  }
  return true;
}

function readHost(subject, host) {
  if (host === undefined) return undefined;
  const usable = isPlainObject(host) && holdsFunctions(host);
  if (!usable) {
    throw new TypeError(`${subject}.host must be an object of functions.`);
  }
  return freeze({ __proto__: null, ...host });
}

const orNever = (field, value) =>
  value === undefined || value === Infinity
    ? Infinity
    : positiveInteger(field, value);

// More than one job needs a shared realm and no CPU limit, because CPU time is
// measured per thread.
function readConcurrentJobs(
  subject,
  value,
  { isolation, cpuLimitMs, runtime },
) {
  const jobs = positiveInteger(`${subject}.concurrentJobsPerWorker`, value, 1);
  const possible =
    isolation === 'worker' && cpuLimitMs === Infinity && runtime === 'isolate';
  if (jobs > 1 && !possible) {
    throw new TypeError(
      `${subject}.concurrentJobsPerWorker above 1 requires isolation ` +
        '"worker", runtime "isolate" and no cpuLimitMs.',
    );
  }
  return jobs;
}

function readOrder(subject, value) {
  if (value === undefined || value === 'priority') return 'priority';
  if (value === 'deadline') return value;
  throw new TypeError(`${subject}.order must be "priority" or "deadline".`);
}

// Jobs without a deadline would age past those with one.
function readAging(subject, value, order) {
  const agingMs = orNever(`${subject}.agingMs`, value);
  if (agingMs !== Infinity && order === 'deadline') {
    throw new TypeError(`${subject}.agingMs requires order "priority".`);
  }
  return agingMs;
}

function readPerKey(subject, bag, order, isolation) {
  const maxPerKey = positiveInteger(`${subject}.maxPerKey`, bag.maxPerKey, 1);
  // Jobs of one key start in order, and workers would take them by deadline.
  if (maxPerKey > 1 && order === 'deadline') {
    throw new TypeError(
      `${subject}.maxPerKey above 1 requires order "priority".`,
    );
  }
  return freeze({
    maxPerKey,
    maxQueuedPerKey: orNever(`${subject}.maxQueuedPerKey`, bag.maxQueuedPerKey),
    // A realm for one job keeps nothing for the next one.
    affinity:
      flag(subject, 'affinity', bag.affinity, false) && isolation === 'worker',
  });
}

/**
 * Checks the options of `WorkerPool.create`, in the order bag, name, options.
 *
 * @param {unknown} name
 * @param {unknown} options
 * @param {object} [taker] whose options they are, for error texts
 * @param {string} [taker.subject]
 * @param {string} [taker.operation]
 * @returns {object} includes the options of createExecutor()
 * @throws {TypeError}
 * @throws {SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED} a limit out of range
 */
function readPoolPolicy(
  name,
  options,
  { subject = 'WorkerPool', operation = 'WorkerPool.create' } = {},
) {
  const bag = plainOptions(operation, options);
  checkName(subject, name);
  const workers = positiveInteger(`${subject}.workers`, bag.workers, 1);
  const maxQueued = positiveInteger(
    `${subject}.maxQueued`,
    bag.maxQueued,
    DEFAULT_MAX_QUEUED,
  );
  const module =
    bag.module === undefined
      ? undefined
      : readModulePath(operation, bag.module);
  const settings = readIsolateSettings(subject, bag);
  const order = readOrder(subject, bag.order);
  refuseMistaken(operation, bag, POOL_OPTIONS);
  return {
    __proto__: null,
    name,
    workers,
    maxQueued,
    capacity: maxQueued + NATIVE_SLACK,
    overflow: readOverflow(subject, bag.overflow),
    maxBackpressureWaiters: positiveInteger(
      `${subject}.maxBackpressureWaiters`,
      bag.maxBackpressureWaiters,
      maxQueued,
    ),
    maxQueuedBytes: positiveInteger(
      `${subject}.maxQueuedBytes`,
      bag.maxQueuedBytes,
      DEFAULT_MAX_QUEUED_BYTES,
    ),
    module,
    init: readInit(operation, bag.init, module, settings.carry),
    host: readHost(subject, bag.host),
    onQueueDrain: listener(subject, 'onQueueDrain', bag.onQueueDrain),
    metrics: flag(subject, 'metrics', bag.metrics, false),
    minWorkers: readMinWorkers(subject, bag.minWorkers, workers),
    idleTimeoutMs: orNever(`${subject}.idleTimeoutMs`, bag.idleTimeoutMs),
    recycleAfterJobs: orNever(
      `${subject}.recycleAfterJobs`,
      bag.recycleAfterJobs,
    ),
    recycleAboveMb: orNever(`${subject}.recycleAboveMb`, bag.recycleAboveMb),
    order,
    agingMs: readAging(subject, bag.agingMs, order),
    perKey: readPerKey(subject, bag, order, settings.isolation),
    ...settings,
    concurrentJobsPerWorker: readConcurrentJobs(
      subject,
      bag.concurrentJobsPerWorker,
      settings,
    ),
  };
}

module.exports = { readPoolPolicy };
