'use strict';

const { ownKeys } = require('../protocol/codec/captured.js');
const { readModulePath } = require('../entries/module-path.js');
const { readInit } = require('./init.js');
const { readOverflow } = require('./overflow.js');
const { readIsolateSettings } = require('./isolate-settings.js');
const { POOL, POOLS_OWN } = require('./option-sets.js');
const { refuseMistaken } = require('./mistaken-options.js');
const {
  checkName,
  isPlainObject,
  plainOptions,
} = require('../base/validate.js');
const { freeze, max } = require('../base/primordials.js');

// Added to the addon's bound, so that admission always refuses first, even
// after `resize` added workers.
const NATIVE_SLACK = 2 ** 20;

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

// More than one job needs a shared realm and no CPU limit, because CPU time is
// measured per thread.
const sharesRealms = ({ isolation, cpuLimitMs }) =>
  isolation === 'worker' && cpuLimitMs === Infinity;

/** @throws {TypeError} for options that exclude each other */
function checkTogether(subject, own, settings) {
  const { agingMs, concurrentJobsPerWorker, maxPerKey, order } = own;
  if (own.minWorkers > own.workers) {
    throw new TypeError(`${subject}.minWorkers must not exceed workers.`);
  }
  if (concurrentJobsPerWorker > 1 && !sharesRealms(settings)) {
    throw new TypeError(
      `${subject}.concurrentJobsPerWorker above 1 requires isolation ` +
        '"worker" and no cpuLimitMs.',
    );
  }
  if (order !== 'deadline') return;
  // Jobs without a deadline would age past those with one.
  if (agingMs !== Infinity) {
    throw new TypeError(`${subject}.agingMs requires order "priority".`);
  }
  // Jobs of one key start in order, and workers would take them by deadline.
  if (maxPerKey > 1) {
    throw new TypeError(
      `${subject}.maxPerKey above 1 requires order "priority".`,
    );
  }
}

/** Reads the options that pools alone have. */
function readOwn(subject, bag) {
  const own = { __proto__: null };
  for (let i = 0; i < POOLS_OWN.length; i++) {
    const name = POOLS_OWN[i];
    own[name] = POOL.read(subject, bag, name);
  }
  own.maxBackpressureWaiters ??= max(own.maxQueued, 1);
  return own;
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
  const own = readOwn(subject, bag);
  const module =
    bag.module === undefined
      ? undefined
      : readModulePath(operation, bag.module);
  const settings = readIsolateSettings(subject, bag);
  checkTogether(subject, own, settings);
  refuseMistaken(operation, bag, POOL.names);
  const { affinity, maxPerKey, maxQueuedPerKey, ...others } = own;
  return {
    __proto__: null,
    name,
    ...others,
    ...settings,
    capacity: own.maxQueued + NATIVE_SLACK,
    overflow: readOverflow(subject, bag.overflow),
    module,
    init: readInit(operation, bag.init, module, settings.carry),
    host: readHost(subject, bag.host),
    perKey: freeze({
      maxPerKey,
      maxQueuedPerKey,
      // A realm for one job keeps nothing for the next one, and a process of a
      // sandbox has one key anyway.
      affinity:
        affinity &&
        settings.isolation === 'worker' &&
        settings.sandbox === undefined,
    }),
  };
}

module.exports = { readPoolPolicy };
