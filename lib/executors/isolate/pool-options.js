'use strict';

const { processFacts } = require('./process-facts.js');
const { realmOptions } = require('../realm-options.js');
const { freeze } = require('../../base/primordials.js');
const { reserveFor } = require('./reserve.js');
const { Isolation } = require('../../protocol/wire.gen.js');

const { stringify } = JSON;
const ISOLATION = freeze({
  worker: Isolation.Worker,
  context: Isolation.Context,
  isolate: Isolation.Isolate,
});

// Whether the realm may be made late: it has nothing to do before its first
// job.
const mayStartLate = (settings) =>
  settings.module === undefined &&
  settings.init === undefined &&
  settings.host === undefined &&
  settings.port !== true &&
  settings.announceIdle !== true &&
  settings.concurrentJobsPerWorker === 1;

/**
 * The options for `createPool` of the addon (binding/pool_calls.cc).
 *
 * @param {object} settings of a pool or worker, checked
 * @param {number} spinMs how long idle workers poll
 * @param {boolean} starts whether its first worker starts at once
 */
const nativeOptions = (settings, spinMs, starts) => ({
  name: settings.name,
  memoryLimitMb: settings.memoryLimitMb,
  maxModuleBytes: settings.maxModuleBytes,
  codeCache: settings.codeCache,
  maxResultBytes: settings.maxResultBytes,
  maxMicrotasks: settings.maxMicrotasks,
  spinMs,
  graceMs: settings.cancelGraceMs,
  cpuLimitMs: settings.cpuLimitMs,
  jobsPerWorker: settings.concurrentJobsPerWorker,
  isolation: ISOLATION[settings.isolation],
  allowEval: settings.allowEval,
  allowWasm: settings.allowWasm,
  recycleAfterJobs: settings.recycleAfterJobs,
  recycleAboveMb: settings.recycleAboveMb,
  endsWithIsolate: settings.port === true,
  announceIdle:
    settings.announceIdle === true ||
    settings.init !== undefined ||
    settings.module !== undefined,
  lateRuntime: mayStartLate(settings),
  realmOptions: stringify(realmOptions(settings)),
  processFacts: processFacts(),
  capacity: settings.capacity,
  workers: settings.workers,
  reserve: reserveFor(settings),
  agingMs: settings.agingMs,
  deadlineFirst: settings.order === 'deadline',
  // `init` needs its data first; a job that arrives before the start fails with
  // it.
  starts:
    starts && settings.init === undefined && settings.module === undefined,
});

module.exports = { nativeOptions };
