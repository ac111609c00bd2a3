'use strict';
// How jobs end, and what else happens then: observers, listeners, places, and
// the calls that wait for the end.

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { admissionOf } = require('./small-admission.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { Job } = require('../../../lib/admission/job.js');
const { JobState } = require('../../../lib/admission/job-state.js');
const { Outcome } = require('../../../lib/errors/outcome.js');
const { pendingTimers } = require('../../../lib/timers/timer-heap.js');
const { PullingExecutor } = require('./pulling-executor.js');
const { readOperation } = require('../../../lib/admission/read-operation.js');
const { workerError } = require('../../../lib/protocol/sloppy-worker-error.js');

class ObservedJob extends Job {
  prev = null;
  next = null;

  constructor(options, told) {
    super(readOperation(options), 8);
    const tell =
      (name) =>
      (...values) =>
        told.push([name, ...values.filter((value) => value !== this)]);
    this.metrics = {
      waiting: tell('waiting'),
      settled: tell('settled'),
      refused: tell('refused'),
    };
  }
}

function setUp(options) {
  const executor = new PullingExecutor();
  const admission = admissionOf(executor, options);
  const submit = (given) => {
    const told = [];
    const job = new ObservedJob(given, told);
    const promise = admission.admit(job);
    promise.catch(() => {});
    return { job, promise, told };
  };
  return { admission, executor, submit };
}

/** A foreign signal, and how many listeners it has. */
function signalOf(reason) {
  const listeners = new Set();
  return {
    listeners,
    aborted: false,
    reason,
    addEventListener: (_type, listener) => listeners.add(listener),
    removeEventListener: (_type, listener) => listeners.delete(listener),
    cancel() {
      this.aborted = true;
      for (const each of [...listeners]) each();
    },
  };
}

const rejection = (promise) => promise.then(Promise.reject, (error) => error);
const turns = async () => {
  for (let i = 0; i < 9; i += 1) await null;
};

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  expect(pendingTimers()).toBe(0);
  jest.useRealTimers();
});

test('an observer is told how each job ended, once', () => {
  const { admission, submit } = setUp();
  const good = submit();
  admission.finish(good.job, Outcome.Completed, 1);
  admission.finish(good.job, Outcome.Completed, 1);
  expect(good.told).toEqual([['settled', Outcome.Completed, undefined]]);
  const bad = submit();
  admission.finish(bad.job, Outcome.Failed, workerError(Code.JobFailed));
  expect(bad.told).toEqual([['settled', Outcome.Failed, Code.JobFailed]]);
});

test('and of each that waits for a place', () => {
  const { admission, submit } = setUp();
  const signal = signalOf('why');
  const first = submit();
  expect(submit().told).toEqual([]);
  const waiter = submit({ signal });
  expect(waiter.told).toEqual([['waiting']]);
  signal.cancel();
  expect(waiter.told.slice(1)).toEqual([
    ['settled', Outcome.Cancelled, Code.JobCancelled],
  ]);
  expect(waiter.job.state).toBe(JobState.Released);
  expect(admission.waiting).toBe(0);
  // It was submitted, and never had a place.
  expect(admission.counters()).toMatchObject({ submitted: 3, cancelled: 1 });
  expect(admission.snapshot().stats.enqueued).toBe(2);
  admission.release(first.job);
});

test('a waiter that a stop refuses is told of as refused', async () => {
  const { admission, submit } = setUp({ maxQueued: 0 });
  const signal = signalOf();
  const { job } = submit();
  const waiter = submit({ signal });
  admission.stop();
  expect(waiter.told.slice(1)).toEqual([['refused', Code.QueueStopped]]);
  expect(signal.listeners.size).toBe(0);
  expect((await rejection(waiter.promise)).code).toBe(Code.QueueStopped);
  admission.finish(job, Outcome.Completed);
});

test('no listener and no timer stays, however a job ends', async () => {
  const ends = [
    ({ admission }, job) => admission.finish(job, Outcome.Completed, 1),
    ({ admission }, job) =>
      admission.finish(job, Outcome.Failed, workerError(Code.JobFailed)),
    ({ admission }, job) => {
      const failing = Promise.reject(workerError(Code.JobFailed));
      failing.catch(() => {});
      admission.failLater(job, Outcome.Failed, failing, Code.JobFailed);
      admission.release(job);
    },
    ({ admission }, job) =>
      admission.abandon(job, workerError(Code.JobCancelled)),
  ];
  for (const end of ends) {
    const world = setUp();
    const signal = signalOf();
    const { job, promise } = world.submit({ signal, timeoutMs: 50 });
    expect(signal.listeners.size).toBe(1);
    expect(pendingTimers()).toBe(1);
    end(world, job);
    expect(signal.listeners.size).toBe(0);
    expect(pendingTimers()).toBe(0);
    expect(world.admission.inFlight).toBe(0);
    // Its promise's functions would keep the result.
    expect([job.resolve, job.operation.reject]).toEqual([null, null]);
    expect(job.operation.job).toBeNull();
    await promise.catch(() => {});
  }
});

test('an error that is being made settles the job now, and later its caller', async () => {
  const { admission, submit } = setUp();
  const { job, promise, told } = submit();
  let fail;
  const failing = new Promise((_resolve, reject) => {
    fail = reject;
  });
  admission.failLater(job, Outcome.Exhausted, failing, Code.RetryExhausted);
  expect(told).toEqual([['settled', Outcome.Exhausted, Code.RetryExhausted]]);
  expect(admission.snapshot().stats).toMatchObject({
    failed: 1,
    retryExhausted: 1,
  });
  expect(admission.counters().byCode).toEqual({ [Code.RetryExhausted]: 1 });
  // Its place is taken until the release.
  expect(admission.inFlight).toBe(1);
  admission.finish(job, Outcome.Completed, 'late');
  expect(admission.inFlight).toBe(0);
  const error = workerError(Code.RetryExhausted);
  fail(error);
  expect(await rejection(promise)).toBe(error);
});

test('a call with a cancelled signal is refused without a promise', () => {
  const { admission } = setUp();
  for (const timeoutMs of [undefined, 50]) {
    const job = new ObservedJob({ signal: AbortSignal.abort(), timeoutMs }, []);
    expect(() => admission.admit(job)).toThrow(Code.JobCancelled);
    expect(job.resolve).toBeNull();
    expect(job.operation.reject).toBeNull();
  }
  const late = new ObservedJob({ timeoutMs: 0 }, []);
  expect(() => admission.admit(late)).toThrow(Code.JobTimeout);
  expect(admission.snapshot().stats).toMatchObject({
    enqueued: 0,
    cancelled: 0,
    timedOut: 0,
  });
});

test('the reason of a running job is that of its signal, or the deadline', () => {
  const { admission, executor, submit } = setUp();
  const signal = signalOf('why');
  const { job } = submit({ signal });
  executor.pull();
  signal.cancel();
  admission.release(job);
  const late = submit({ timeoutMs: 10 });
  executor.pull();
  jest.advanceTimersByTime(10);
  admission.release(late.job);
  expect(executor.interrupted).toEqual([
    [1, 'why'],
    [2, 'deadline'],
  ]);
});

describe('while a debugger may hold the threads', () => {
  test('no time is over, and it is looked at again', async () => {
    const { admission, executor, submit } = setUp();
    let isDebugged = true;
    executor.isDebugged = () => isDebugged;
    const { job, promise } = submit({ timeoutMs: 10 });
    jest.advanceTimersByTime(20);
    expect(job.state).toBe(JobState.Admitted);
    isDebugged = false;
    jest.advanceTimersByTime(1000);
    expect((await rejection(promise)).code).toBe(Code.JobTimeout);
    admission.release(job);
  });

  test('nor that of a run', async () => {
    const { admission, executor, submit } = setUp();
    let isDebugged = true;
    executor.isDebugged = () => isDebugged;
    const { job, promise } = submit({ runTimeoutMs: 10 });
    executor.pull();
    job.operation.beginRun();
    jest.advanceTimersByTime(20);
    expect(job.state).toBe(JobState.Admitted);
    isDebugged = false;
    jest.advanceTimersByTime(1000);
    expect((await rejection(promise)).code).toBe(Code.JobTimeout);
    admission.release(job);
  });
});

test('a run has the time that its executor says is left', async () => {
  const { admission, executor, submit } = setUp();
  let left = 5;
  executor.runLeft = () => left;
  const { job, promise } = submit({ runTimeoutMs: 10 });
  executor.pull();
  job.operation.beginRun();
  jest.advanceTimersByTime(10);
  left = 1;
  jest.advanceTimersByTime(4);
  expect(job.state).toBe(JobState.Admitted);
  jest.advanceTimersByTime(1);
  expect(job.state).toBe(JobState.Admitted);
  left = 0;
  jest.advanceTimersByTime(1);
  const error = await rejection(promise);
  expect(error.code).toBe(Code.JobTimeout);
  expect(executor.interrupted).toEqual([[1, 'deadline']]);
  admission.release(job);
});

test('drain waits for jobs, for waiters, and for callers of failed jobs', async () => {
  const { admission, submit } = setUp({ maxQueued: 0 });
  const order = [];
  await admission.drain();
  const first = submit();
  const second = submit();
  second.promise.catch(() => order.push('second'));
  admission.drain().then(() => order.push('drained'));
  admission.finish(first.job, Outcome.Completed, 1);
  await turns();
  expect(order).toEqual([]);
  admission.finish(second.job, Outcome.Failed, workerError(Code.JobFailed));
  await turns();
  expect(order).toEqual(['second', 'drained']);
});

describe('a job for one given worker', () => {
  test('has a place, room or not, and also after the stop', async () => {
    const { admission, executor, submit } = setUp({ overflow: 'reject' });
    submit();
    submit();
    admission.stop();
    const job = new ObservedJob({}, []);
    const promise = admission.admitTo(job, () => executor.submit(job));
    expect(admission.inFlight).toBe(3);
    expect(job).toMatchObject({ id: 3, state: JobState.Admitted });
    expect(admission.counters().submitted).toBe(3);
    admission.finish(job, Outcome.Completed, 'done');
    expect(await promise).toBe('done');
    expect(admission.inFlight).toBe(2);
  });

  test('is refused as others when it was cancelled or is late', () => {
    const { admission } = setUp();
    const hand = jest.fn();
    const late = new ObservedJob({ timeoutMs: 0 }, []);
    expect(() => admission.admitTo(late, hand)).toThrow(Code.JobTimeout);
    const signal = AbortSignal.abort();
    const job = new ObservedJob({ signal }, []);
    expect(() => admission.admitTo(job, hand)).toThrow(Code.JobCancelled);
    expect(hand).not.toHaveBeenCalled();
    expect(admission.inFlight).toBe(0);
  });

  test('is not given away when it was cancelled meanwhile', async () => {
    const { admission } = setUp();
    const hand = jest.fn();
    const signal = signalOf();
    signal.addEventListener = () => {
      signal.aborted = true;
    };
    const job = new ObservedJob({ signal }, []);
    const promise = admission.admitTo(job, hand);
    expect((await rejection(promise)).code).toBe(Code.JobCancelled);
    expect(hand).not.toHaveBeenCalled();
    expect(admission.inFlight).toBe(0);
  });
});

test('what the executor throws is told of its job alone', async () => {
  const { admission, executor, submit } = setUp({ maxQueued: 0 });
  const signal = signalOf();
  const first = submit();
  const cause = new RangeError('no room');
  const { submit: takes } = executor;
  const waiter = submit({ signal });
  executor.submit = () => {
    throw cause;
  };
  // It has its promise already.
  admission.finish(first.job, Outcome.Completed);
  const error = await rejection(waiter.promise);
  expect(error).toMatchObject({ code: Code.JobFailed, cause });
  expect(signal.listeners.size).toBe(0);
  expect(() => submit({ signal })).toThrow(cause);
  expect(signal.listeners.size).toBe(0);
  expect(admission.inFlight).toBe(0);
  expect(admission.snapshot().stats.enqueued).toBe(1);
  executor.submit = takes;
  const next = submit();
  expect(executor.queue.at(-1)).toBe(next.job);
});
