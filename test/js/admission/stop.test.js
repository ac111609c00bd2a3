'use strict';
// A stop ends jobs in order, and says what of them was left.

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { Admission } = require('../../../lib/admission/admission.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { Job } = require('../../../lib/admission/job.js');
const { NO_OPERATION } = require('../../../lib/admission/operation.js');
const { Outcome } = require('../../../lib/errors/outcome.js');
const { pendingTimers } = require('../../../lib/timers/timer-heap.js');
const { PullingExecutor } = require('./pulling-executor.js');

class NamedJob extends Job {
  prev = null;
  next = null;
  isPinned = false;

  constructor(name, fields) {
    super(NO_OPERATION, 8);
    Object.assign(this, { name }, fields);
  }
}

function setUp(options) {
  const executor = new PullingExecutor();
  const admission = new Admission({
    name: 'pool:pool',
    maxQueued: 9,
    concurrency: 2,
    overflow: 'backpressure',
    maxBackpressureWaiters: 4,
    executor,
    ...options,
  });
  const rejected = [];
  const watch = (job, promise) => {
    promise.catch(({ code }) => rejected.push(`${job.name} ${code}`));
    return job;
  };
  const submit = (names) =>
    names.split(' ').map((name) => {
      const job = new NamedJob(name);
      return watch(job, admission.admit(job));
    });
  const submitTo = (name) => {
    const job = new NamedJob(name, { isPinned: true });
    return watch(
      job,
      admission.admitTo(job, () => executor.submit(job)),
    );
  };
  const finish = (...jobs) => {
    for (const job of jobs) admission.finish(job, Outcome.Completed);
  };
  return { admission, executor, submit, submitTo, finish, rejected };
}

const turns = async () => {
  for (let i = 0; i < 9; i += 1) await null;
};
const cancelled = (names) =>
  names.split(' ').map((name) => `${name} ${Code.ShutdownCancelled}`);

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  expect(pendingTimers()).toBe(0);
  jest.useRealTimers();
});

test('with drain it tells running jobs nothing, and no timer stays', async () => {
  const { admission, executor, submit, finish } = setUp();
  const jobs = submit('a b c');
  const stopped = admission.stop({ timeoutMs: 100 });
  expect(executor.interrupted).toEqual([]);
  expect(pendingTimers()).toBe(1);
  finish(...jobs);
  expect(pendingTimers()).toBe(0);
  expect(await stopped).toEqual({ cancelled: 0, forced: 0 });
  expect(executor.forced).toBe(0);
});

test('an idle one is over at once, whatever its time', async () => {
  const { admission } = setUp();
  expect(admission.isOver).toBe(false);
  const stopped = admission.stop({ timeoutMs: 100 });
  expect(pendingTimers()).toBe(0);
  expect(admission.isOver).toBe(true);
  expect(await stopped).toEqual({ cancelled: 0, forced: 0 });
});

test('without drain only those that may run go on, oldest first', async () => {
  const { admission, submit, finish, rejected } = setUp();
  const [a, b] = submit('a b c d e');
  const stopped = admission.stop({ drain: false });
  await turns();
  expect(rejected).toEqual(cancelled('c d e'));
  expect(admission.isOver).toBe(false);
  finish(a, b);
  expect(admission.isOver).toBe(true);
  expect(await stopped).toEqual({ cancelled: 3, forced: 0 });
});

test('a paused one runs none of them', async () => {
  const { admission, executor, submit, submitTo, rejected } = setUp();
  executor.isPaused = () => true;
  submit('a');
  submitTo('p');
  submit('b');
  expect(await admission.stop({ drain: false })).toEqual({
    cancelled: 3,
    forced: 0,
  });
  await turns();
  expect(rejected).toEqual(cancelled('a p b'));
});

test('a job for one worker goes on, beside as many others as may run', async () => {
  const { admission, submit, submitTo, finish, rejected } = setUp();
  const [a, b] = submit('a b');
  const pinned = submitTo('p');
  submit('c');
  const stopped = admission.stop({ drain: false });
  await turns();
  expect(rejected).toEqual(cancelled('c'));
  finish(a, b, pinned);
  expect(await stopped).toEqual({ cancelled: 1, forced: 0 });
});

test('and so it does if it came first', async () => {
  const { admission, submit, submitTo, finish, rejected } = setUp();
  const pinned = submitTo('p');
  const [a, b] = submit('a b c d');
  const stopped = admission.stop({ drain: false });
  await turns();
  expect(rejected).toEqual(cancelled('c d'));
  finish(pinned, a, b);
  expect(await stopped).toEqual({ cancelled: 2, forced: 0 });
});

test('or last: another one is rejected', async () => {
  const { admission, submit, submitTo, finish, rejected } = setUp();
  const [a, b] = submit('a b c');
  const pinned = submitTo('p');
  const stopped = admission.stop({ drain: false });
  await turns();
  expect(rejected).toEqual(cancelled('c'));
  finish(pinned, a, b);
  expect(await stopped).toEqual({ cancelled: 1, forced: 0 });
});

test('those that wait for a place are counted with the others', async () => {
  const { admission, submit, finish, rejected } = setUp({
    concurrency: 1,
    maxQueued: 1,
  });
  const [a] = submit('a b c d');
  expect(admission.waiting).toBe(2);
  const stopped = admission.stop({ drain: false });
  await turns();
  expect(rejected.toSorted()).toEqual(cancelled('b c d'));
  finish(a);
  expect(await stopped).toEqual({ cancelled: 3, forced: 0 });
});

test('with drain they are refused as a call after the stop', async () => {
  const { admission, submit, finish, rejected } = setUp({
    concurrency: 1,
    maxQueued: 0,
  });
  const [a] = submit('a b');
  const stopped = admission.stop();
  await turns();
  expect(rejected).toEqual([`b ${Code.QueueStopped}`]);
  expect(admission.counters()).toMatchObject({ submitted: 1, refused: 1 });
  finish(a);
  expect(await stopped).toEqual({ cancelled: 0, forced: 0 });
});

test('time is up for queued, pinned and running jobs alike', async () => {
  const { admission, executor, submit, submitTo, rejected } = setUp({
    concurrency: 1,
  });
  const [a] = submit('a');
  executor.pull();
  submit('b');
  submitTo('p');
  submit('c');
  const stopped = admission.stop({ timeoutMs: 10, reason: 'why' });
  expect(admission.isOver).toBe(false);
  jest.advanceTimersByTime(10);
  expect(executor.interrupted).toEqual([[1, 'why']]);
  expect(executor.forced).toBe(1);
  // A job that still runs holds nobody up any more.
  expect(admission.isOver).toBe(true);
  await turns();
  expect(rejected.toSorted()).toEqual(cancelled('a b c p'));
  admission.release(a);
  expect(await stopped).toEqual({ cancelled: 0, forced: 4 });
});

test('a stop after another adds to its counts', async () => {
  const { admission, executor, submit, finish } = setUp({ concurrency: 1 });
  const [a] = submit('a b');
  const first = admission.stop();
  const second = admission.stop({ drain: false, reason: 'now' });
  expect(executor.interrupted).toEqual([['all', 'now']]);
  finish(a);
  const counts = { cancelled: 1, forced: 0 };
  expect([await first, await second]).toEqual([counts, counts]);
});
