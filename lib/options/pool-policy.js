'use strict';

const { ownKeys } = require('../protocol/codec/captured.js');
const { readModulePath } = require('../entries/module-path.js');
const { DEFAULT_MAX_QUEUED_BYTES } = require('../admission/places.js');
const { readInit } = require('./init.js');
const { readOverflow } = require('./overflow.js');
const {
  ISOLATE_OPTIONS,
  flag,
  listener,
  readIsolateSettings,
} = require('./isolate-settings.js');
const { refuseMistaken } = require('./mistaken-options.js');
const {
  checkName,
  isPlainObject,
  plainOptions,
  positiveInteger,
} = require('../base/validate.js');
const { freeze } = require('../base/primordials.js');

const DEFAULT_MAX_QUEUED = 64;
const POOL_OPTIONS = [
  'workers',
  'maxQueued',
  'overflow',
  'maxBackpressureWaiters',
  'maxQueuedBytes',
  'module',
  'init',
  'host',
  'onQueueDrain',
  'metrics',
  'minWorkers',
  'idleTimeoutMs',
  'recycleAfterJobs',
  'recycleAboveMb',
  'concurrentJobsPerWorker',
  'order',
  'agingMs',
  'maxPerKey',
  'maxQueuedPerKey',
  'affinity',
  ...ISOLATE_OPTIONS,
];
// Added to the addon's bound, so that admission always refuses first, even
// after `resize` added workers.
const NATIVE_SLACK = 2 ** 20;

function readMinWorkers(value, workers) {
  if (value === undefined || value === 0) return 0;
  const minimum = positiveInteger('WorkerPool.minWorkers', value);
  if (minimum > workers) {
    throw new TypeError('WorkerPool.minWorkers must not exceed workers.');
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

function readHost(host) {
  if (host === undefined) return undefined;
  const usable = isPlainObject(host) && holdsFunctions(host);
  if (!usable) {
    throw new TypeError('WorkerPool.host must be an object of functions.');
  }
  return freeze({ __proto__: null, ...host });
}

const orNever = (field, value) =>
  value === undefined || value === Infinity
    ? Infinity
    : positiveInteger(`WorkerPool.${field}`, value);

// More than one job needs a shared realm and no CPU limit, because CPU time is
// measured per thread.
function readConcurrentJobs(value, { isolation, cpuLimitMs, runtime }) {
  const jobs = positiveInteger('WorkerPool.concurrentJobsPerWorker', value, 1);
  const possible =
    isolation === 'worker' && cpuLimitMs === Infinity && runtime === 'isolate';
  if (jobs > 1 && !possible) {
    throw new TypeError(
      'WorkerPool.concurrentJobsPerWorker above 1 requires isolation ' +
        '"worker", runtime "isolate" and no cpuLimitMs.',
    );
  }
  return jobs;
}

function readOrder(value) {
  if (value === undefined || value === 'priority') return 'priority';
  if (value === 'deadline') return value;
  throw new TypeError('WorkerPool.order must be "priority" or "deadline".');
}

// Jobs without a deadline would age past those with one.
function readAging(value, order) {
  const agingMs = orNever('agingMs', value);
  if (agingMs !== Infinity && order === 'deadline') {
    throw new TypeError('WorkerPool.agingMs requires order "priority".');
  }
  return agingMs;
}

function readPerKey(bag, order, isolation) {
  const maxPerKey = positiveInteger('WorkerPool.maxPerKey', bag.maxPerKey, 1);
  // Jobs of one key start in order, and workers would take them by deadline.
  if (maxPerKey > 1 && order === 'deadline') {
    throw new TypeError(
      'WorkerPool.maxPerKey above 1 requires order "priority".',
    );
  }
  return freeze({
    maxPerKey,
    maxQueuedPerKey: orNever('maxQueuedPerKey', bag.maxQueuedPerKey),
    // A realm for one job keeps nothing for the next one.
    affinity:
      flag('WorkerPool', 'affinity', bag.affinity, false) &&
      isolation === 'worker',
  });
}

/**
 * Checks the options of `WorkerPool.create`, in the order bag, name, options.
 *
 * @param {unknown} name
 * @param {unknown} options
 * @returns {object} includes the options of createExecutor()
 * @throws {TypeError}
 * @throws {SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED} a limit out of range
 */
function readPoolPolicy(name, options) {
  const bag = plainOptions('WorkerPool.create', options);
  checkName('WorkerPool', name);
  const workers = positiveInteger('WorkerPool.workers', bag.workers, 1);
  const maxQueued = positiveInteger(
    'WorkerPool.maxQueued',
    bag.maxQueued,
    DEFAULT_MAX_QUEUED,
  );
  const module =
    bag.module === undefined
      ? undefined
      : readModulePath('WorkerPool.create', bag.module);
  const settings = readIsolateSettings('WorkerPool', bag);
  const order = readOrder(bag.order);
  refuseMistaken('WorkerPool.create', bag, POOL_OPTIONS);
  return {
    name,
    workers,
    maxQueued,
    capacity: maxQueued + NATIVE_SLACK,
    overflow: readOverflow(bag.overflow),
    maxBackpressureWaiters: positiveInteger(
      'WorkerPool.maxBackpressureWaiters',
      bag.maxBackpressureWaiters,
      maxQueued,
    ),
    maxQueuedBytes: positiveInteger(
      'WorkerPool.maxQueuedBytes',
      bag.maxQueuedBytes,
      DEFAULT_MAX_QUEUED_BYTES,
    ),
    module,
    init: readInit('WorkerPool.create', bag.init, module, settings.carry),
    host: readHost(bag.host),
    onQueueDrain: listener('WorkerPool', 'onQueueDrain', bag.onQueueDrain),
    metrics: flag('WorkerPool', 'metrics', bag.metrics, false),
    minWorkers: readMinWorkers(bag.minWorkers, workers),
    idleTimeoutMs: orNever('idleTimeoutMs', bag.idleTimeoutMs),
    recycleAfterJobs: orNever('recycleAfterJobs', bag.recycleAfterJobs),
    recycleAboveMb: orNever('recycleAboveMb', bag.recycleAboveMb),
    order,
    agingMs: readAging(bag.agingMs, order),
    perKey: readPerKey(bag, order, settings.isolation),
    ...settings,
    concurrentJobsPerWorker: readConcurrentJobs(
      bag.concurrentJobsPerWorker,
      settings,
    ),
  };
}

module.exports = { readPoolPolicy };
