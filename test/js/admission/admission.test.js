'use strict';

/**
 * The policy under an executor like that of a pool: jobs run elsewhere, start
 * without telling, and keep their slot after their caller has given up.
 */

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { Admission } = require('../../../lib/admission/admission.js');
const { Outcome } = require('../../../lib/errors/outcome.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { Job } = require('../../../lib/admission/job.js');
const { PullingExecutor } = require('./pulling-executor.js');
const { NO_OPERATION } = require('../../../lib/admission/operation.js');
const { readOperation } = require('../../../lib/admission/read-operation.js');
const { pendingTimers } = require('../../../lib/timers/timer-heap.js');
const {
  WorkerCancellationController,
} = require('../../../lib/signals/cancellation.js');
const { workerError } = require('../../../lib/protocol/sloppy-worker-error.js');

const turn = () => new Promise((resolve) => process.nextTick(resolve));
const rejection = (promise) => promise.then(Promise.reject, (error) => error);

class ListedJob extends Job {
  prev = null;
  next = null;
}

function setUp(options) {
  const executor = new PullingExecutor();
  const changes = [];
  const admission = new Admission({
    name: 'pool:pool',
    maxQueued: 1,
    concurrency: 1,
    overflow: 'reject',
    maxBackpressureWaiters: 2,
    executor,
    onChange: () => changes.push(admission.inFlight),
    ...options,
  });
  const submit = (options, bytes = 8) => {
    const job = new ListedJob(readOperation(options), bytes);
    const promise = admission.admit(job);
    promise.catch(() => {});
    return { job, promise };
  };
  return { admission, executor, submit, changes };
}

afterEach(() => expect(pendingTimers()).toBe(0));

test('places are counted by what is in flight, started or not', async () => {
  const { admission, executor, submit } = setUp({ maxQueued: 2 });
  const { job, promise } = submit();
  submit();
  submit();
  expect(admission.snapshot()).toMatchObject({ active: 1, queued: 2 });
  expect(admission.needsDrain).toBe(true);
  expect(() => submit()).toThrow(`${Code.QueueFull}: work queue is full`);
  executor.pull();
  expect(admission.snapshot()).toMatchObject({ active: 1, queued: 2 });
  admission.finish(job, Outcome.Completed, 'value');
  expect(admission.needsDrain).toBe(false);
  expect(await promise).toBe('value');
});

test('a refused job costs no promise', () => {
  const { admission, submit } = setUp();
  submit();
  submit();
  const job = new ListedJob(NO_OPERATION, 8);
  expect(() => admission.admit(job)).toThrow(Code.QueueFull);
  expect(job.resolve).toBeNull();
});

test('a running job that is given up on keeps its slot until released', async () => {
  const { admission, executor, submit } = setUp({ overflow: 'backpressure' });
  const controller = new WorkerCancellationController();
  const { job, promise } = submit({ signal: controller.signal });
  executor.pull();
  submit();
  const waiter = submit();
  controller.cancel('why');
  expect((await rejection(promise)).code).toBe(Code.JobCancelled);
  expect(executor.interrupted).toEqual([[1, 'why']]);
  expect(admission.snapshot()).toMatchObject({ active: 1, queued: 1 });
  expect(admission.snapshot().stats.cancelled).toBe(1);
  expect(waiter.job.id).toBe(0);

  admission.release(job);
  admission.release(job);
  expect(admission.snapshot()).toMatchObject({ active: 1, queued: 1 });
  expect(waiter.job.id).toBe(3);
});

test('a late completion only releases', async () => {
  const { admission, executor, submit } = setUp();
  const controller = new WorkerCancellationController();
  const { job, promise } = submit({ signal: controller.signal });
  executor.pull();
  controller.cancel();
  const { stats } = admission.snapshot();
  admission.finish(job, Outcome.Completed, 'late');
  admission.finish(job, Outcome.Failed, new Error('later'));
  expect(admission.snapshot().stats).toEqual(stats);
  expect(admission.inFlight).toBe(0);
  expect((await rejection(promise)).code).toBe(Code.JobCancelled);
});

test('a queued job that is given up on never reaches a worker', async () => {
  const { admission, executor, submit } = setUp();
  const controller = new WorkerCancellationController();
  submit();
  executor.pull();
  submit({ signal: controller.signal });
  controller.cancel();
  expect(executor.queue).toEqual([]);
  expect(executor.interrupted).toEqual([]);
  expect(admission.inFlight).toBe(1);
});

test('a signal that fires while being subscribed to refuses the job', async () => {
  const { admission, executor } = setUp();
  const operation = {
    expiresAt: performance.now() + 60_000,
    durationMs: 0,
    refusalWhenNew: () => undefined,
    cancelError: () => workerError(Code.JobCancelled),
    watch(job, to) {
      to.cancelled(job);
    },
  };
  const promise = admission.admit(new ListedJob(operation, 8));
  expect((await rejection(promise)).code).toBe(Code.JobCancelled);
  expect(executor.queue).toEqual([]);
  expect(admission.inFlight).toBe(0);
  expect(admission.snapshot().stats).toMatchObject({
    enqueued: 0,
    cancelled: 0,
  });
});

test('a queue stopped while a signal is subscribed to refuses the job', () => {
  const { admission, executor } = setUp();
  const forgotten = jest.fn();
  const operation = {
    expiresAt: performance.now() + 60_000,
    durationMs: 0,
    refusalWhenNew: () => undefined,
    watch() {
      admission.stop();
    },
    unwatch: forgotten,
  };
  expect(() => admission.admit(new ListedJob(operation, 8))).toThrow(
    Code.QueueStopped,
  );
  expect(forgotten).toHaveBeenCalledTimes(1);
  expect(executor.queue).toEqual([]);
});

test.each([
  [Outcome.Completed, { completed: 1 }],
  [Outcome.Failed, { failed: 1 }],
  [Outcome.Exhausted, { failed: 1, retryExhausted: 1 }],
  [Outcome.Cancelled, { cancelled: 1 }],
  [Outcome.TimedOut, { timedOut: 1 }],
])('outcome %i counts %p', (outcome, counted) => {
  const { admission, submit } = setUp();
  admission.finish(submit().job, outcome, new Error('x'));
  expect(admission.snapshot().stats).toEqual({
    enqueued: 1,
    completed: 0,
    failed: 0,
    cancelled: 0,
    timedOut: 0,
    retryExhausted: 0,
    overflow: 0,
    ...counted,
  });
});

test('bytes count until release, for executors that tell no start', () => {
  const { admission, executor, submit } = setUp({
    maxQueued: 9,
    maxQueuedBytes: 100,
  });
  const { job } = submit(undefined, 60);
  executor.pull();
  submit(undefined, 40);
  expect(() => submit(undefined, 1)).toThrow(Code.QueueFull);
  admission.finish(job, Outcome.Completed);
  submit(undefined, 60);
  expect(() => submit(undefined, 1)).toThrow(Code.QueueFull);
});

test('resize admits waiters at once and moves the bound', () => {
  const { admission, executor, submit } = setUp({ overflow: 'backpressure' });
  for (let n = 0; n < 4; n += 1) submit();
  expect(executor.queue).toHaveLength(2);
  expect(admission.waiting).toBe(2);
  admission.resize(3);
  expect(executor.queue.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(admission.snapshot()).toMatchObject({
    concurrency: 3,
    active: 3,
    queued: 1,
  });
  admission.resize(1);
  expect(admission.needsDrain).toBe(true);
});

test('onChange comes after each place that became free', () => {
  const { admission, submit, changes } = setUp({ overflow: 'backpressure' });
  const jobs = [submit(), submit(), submit()].map(({ job }) => job);
  for (const job of jobs) admission.finish(job, Outcome.Completed);
  expect(changes).toEqual([2, 1, 0]);
});

test('refusals have the codes of the resource', async () => {
  const { admission, submit } = setUp({
    fullCode: Code.PoolSaturated,
    stoppedCode: Code.StaleHandle,
  });
  const jobs = [submit(), submit()].map(({ job }) => job);
  expect(() => submit()).toThrow(
    `${Code.PoolSaturated}: worker queue is saturated`,
  );
  const stopped = admission.stop();
  expect(() => submit()).toThrow(
    `${Code.StaleHandle}: worker handle has been stopped`,
  );
  for (const job of jobs) admission.finish(job, Outcome.Completed);
  await stopped;
});

describe('stop', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  });
  afterEach(() => jest.useRealTimers());

  test('without drain reports what it cancelled', async () => {
    const { admission, executor, submit } = setUp({ overflow: 'backpressure' });
    const { job } = submit();
    executor.pull();
    submit();
    submit();
    const stopped = admission.stop({ drain: false });
    expect(executor.interrupted).toEqual([['all', 'shutdown']]);
    admission.finish(job, Outcome.Completed);
    const report = await stopped;
    expect(report).toEqual({ cancelled: 2, forced: 0 });
    expect(Object.isFrozen(report)).toBe(true);
  });

  test('forces the executor when time is up, and waits for its release', async () => {
    const { admission, executor, submit } = setUp();
    const running = submit();
    executor.pull();
    const queued = submit();
    let report;
    admission.stop({ timeoutMs: 5000 }).then((value) => {
      report = value;
    });
    jest.advanceTimersByTime(4999);
    expect(executor.forced).toBe(0);
    jest.advanceTimersByTime(1);
    expect(executor.forced).toBe(1);
    expect(executor.interrupted).toEqual([[1, 'shutdown']]);
    for (const { promise } of [running, queued]) {
      expect((await rejection(promise)).message).toBe(
        `${Code.ShutdownCancelled}: worker operation was cancelled by shutdown`,
      );
    }
    await turn();
    expect(report).toBeUndefined();
    admission.release(running.job);
    await turn();
    expect(report).toEqual({ cancelled: 0, forced: 2 });
    expect(admission.snapshot().stats.cancelled).toBe(2);
  });

  test('a job that was given up on is not forced again', async () => {
    const { admission, executor, submit } = setUp();
    const { job } = submit({ timeoutMs: 10 });
    executor.pull();
    jest.advanceTimersByTime(10);
    const stopped = admission.stop({ timeoutMs: 20 });
    jest.advanceTimersByTime(20);
    expect(executor.interrupted).toEqual([[1, 'deadline']]);
    expect(executor.forced).toBe(1);
    admission.release(job);
    expect(await stopped).toEqual({ cancelled: 0, forced: 0 });
  });
});
