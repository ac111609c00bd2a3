'use strict';
// Accessors that somebody has put on Object.prototype see none of the fields
// of what the admission makes.

const { Admission } = require('../../../lib/admission/admission.js');
const { Homes } = require('../../../lib/admission/homes.js');
const { Job } = require('../../../lib/admission/job.js');
const { JobState } = require('../../../lib/admission/job-state.js');
const { NO_OPERATION } = require('../../../lib/admission/operation.js');
const { Places } = require('../../../lib/admission/places.js');
const { PullingExecutor } = require('./pulling-executor.js');
const { readOperation } = require('../../../lib/admission/read-operation.js');

const NAMES = [
  ...['concurrency', 'maxQueued', 'taken', 'heldBack'],
  ...['state', 'id', 'operation', 'bytes', 'resolve', 'metrics'],
  ...['signal', 'expiresAt', 'durationMs', 'reject', 'job', 'limits'],
  ...['key', 'number', 'prev', 'next', 'count', 'sent', 'held', 'priority'],
];

/** Calls `make` while all those names are accessors that tell. */
function poisoned(make) {
  const seen = [];
  for (const name of NAMES) {
    Object.defineProperty(Object.prototype, name, {
      configurable: true,
      get: () => undefined,
      set: () => seen.push(name),
    });
  }
  try {
    return { made: make(), seen };
  } finally {
    for (const name of NAMES) delete Object.prototype[name];
  }
}

test.each([
  ['places', () => new Places({ concurrency: 1, maxQueued: 2 })],
  ['a job', () => new Job(NO_OPERATION, 8)],
  ['an operation', () => readOperation({ timeoutMs: 5 })],
  [
    'an operation with a limit of its run',
    () => readOperation({ runTimeoutMs: 5 }),
  ],
  ['the number of a key', () => new Homes().of('a')],
])('%s', (_name, make) => {
  expect(poisoned(make).seen).toEqual([]);
});

test('a run', () => {
  const operation = readOperation({ runTimeoutMs: 5 });
  operation.watch({ state: JobState.Admitted, holdsProcess: false }, {});
  const { seen } = poisoned(() => operation.beginRun());
  operation.unwatch();
  expect(seen).toEqual([]);
});

test('a key', () => {
  class KeyedJob extends Job {
    prev = null;
    next = null;
    key = 'a';
    lane = null;
    laneState = 0;
    stash = null;
    waitedMs = 0;
    home = 0;
    weight = 1;
    priority = 4;
  }
  const executor = new PullingExecutor();
  const admission = new Admission({
    name: 'pool:pool',
    maxQueued: 9,
    concurrency: 1,
    overflow: 'reject',
    maxBackpressureWaiters: 1,
    executor,
  });
  const jobs = [1, 2].map(() => new KeyedJob(NO_OPERATION, 8));
  const { seen } = poisoned(() => jobs.map((job) => admission.admit(job)));
  expect(seen).toEqual([]);
  expect(executor.queue).toEqual([jobs[0]]);
});
