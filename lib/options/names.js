'use strict';
// Which call takes which options. Each call reads its own and refuses those of
// the others, because an option that is not read is a limit that does not hold.

const { THREAD_OPTIONS } = require('./thread-options.js');

const QUEUE_CALL = ['signal', 'deadline', 'timeoutMs', 'runTimeoutMs'];
const WORKER_CALL = [...QUEUE_CALL, 'transfer', 'onMessage', 'receipt'];
const CALL = [...WORKER_CALL, 'priority', 'key', 'weight'];
const RUN = [...CALL, 'input', 'modules'];
const MAP = [...CALL, 'modules', 'concurrency'];
// By name: an export imports by itself what it needs.
const MAP_EXPORT = [...CALL, 'concurrency'];
const STREAM_EXPORT = [...CALL, 'input'];
const BROADCAST_EXPORT = [
  'input',
  'later',
  'runTimeoutMs',
  'signal',
  'timeoutMs',
];
const BROADCAST = [...BROADCAST_EXPORT, 'modules'];
const STOP = ['drain', 'timeoutMs'];
const INSPECTOR = ['host', 'port', 'wait'];
const PROFILE = ['path', 'durationMs'];
const SNAPSHOT = ['path'];

/** Those of pools and workers, which `readIsolateSettings` reads. */
const ISOLATE_OPTIONS = [
  'runtime',
  'payload',
  'memoryLimitMb',
  'maxPayloadBytes',
  'maxResultBytes',
  'maxModuleBytes',
  'codeCache',
  'maxMicrotasks',
  'cancelGraceMs',
  'cpuLimitMs',
  'runTimeoutMs',
  'rebuildError',
  'isolation',
  'allowEval',
  'allowWasm',
  ...THREAD_OPTIONS,
];
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
const WORKER_OPTIONS = [
  'init',
  'metrics',
  'startTimeoutMs',
  ...ISOLATE_OPTIONS,
];
const QUEUE_OPTIONS = [
  'maxQueued',
  'concurrency',
  'overflow',
  'maxBackpressureWaiters',
  'maxQueuedBytes',
  'retry',
  'maxAttempts',
  'backoffMs',
  'runTimeoutMs',
  'metrics',
];

/** The first that takes a name is the one that an error tells of. */
const TAKERS = [
  ['WorkerPool.create', POOL_OPTIONS],
  ['WorkerPool.run', RUN],
  ['WorkerPool.map', MAP],
  ['WorkerPool.broadcast', BROADCAST],
  ['Worker.start', WORKER_OPTIONS],
  ['WorkQueue.create', QUEUE_OPTIONS],
  ['WorkerPool.stop', STOP],
  ['WorkerPool.cpuProfile', PROFILE],
  ['prewarm', ['spares']],
  ['openInspector', INSPECTOR],
];

const ALL = TAKERS.flatMap(([, names]) => names);

/** @returns {string | undefined} a call that takes this option */
function takerOf(option) {
  const found = TAKERS.find(([, names]) => names.includes(option));
  return found?.[0];
}

module.exports = {
  ALL,
  BROADCAST,
  BROADCAST_EXPORT,
  CALL,
  INSPECTOR,
  ISOLATE_OPTIONS,
  MAP,
  MAP_EXPORT,
  POOL_OPTIONS,
  PROFILE,
  QUEUE_CALL,
  QUEUE_OPTIONS,
  RUN,
  SNAPSHOT,
  STOP,
  STREAM_EXPORT,
  WORKER_CALL,
  WORKER_OPTIONS,
  takerOf,
};
