'use strict';
// Sections 2, 5, 9 and 10 where they meet: what a queue does at the moment of
// a cancellation, a retry or a stop.

const {
  SloppyWorkerError,
  WorkQueue,
  WorkerCancellationController,
} = require('../../../lib/index.js');
const { rejection } = require('./support.js');

const failing = (options, thrown) =>
  WorkQueue.create('q', options).process(() => {
    throw thrown;
  });

const totals = ({ stats, queued, active }) =>
  stats.completed +
  stats.failed +
  stats.cancelled +
  stats.timedOut +
  queued +
  active;

test('a handler that cancels its own job gives its place back at once', async () => {
  const controller = new WorkerCancellationController();
  const queue = WorkQueue.create('q').process(({ data }, { signal }) => {
    if (data === 'first') {
      controller.cancel('own');
      expect(signal.reason).toBe('own');
      expect(queue.state.active).toBe(0);
    }
    return data;
  });
  const first = queue.enqueue('first', { signal: controller.signal });
  const second = queue.enqueue('second');
  expect((await rejection(first)).code).toBe('SLOPPY_E_WORK_JOB_CANCELLED');
  await expect(second).resolves.toBe('second');
  expect(queue.state.stats).toMatchObject({ completed: 1, cancelled: 1 });
});

test.each([
  ['SLOPPY_E_WORK_JOB_CANCELLED', 'cancelled'],
  ['SLOPPY_E_WORK_JOB_TIMEOUT', 'timedOut'],
])(
  '%s thrown by a handler is passed on and never retried',
  async (code, kind) => {
    const thrown = new SloppyWorkerError(code, 'mine');
    const queue = failing({ retry: { maxAttempts: 3 } }, thrown);
    expect(await rejection(queue.enqueue(1))).toBe(thrown);
    expect(queue.state.stats).toMatchObject({ failed: 0, [kind]: 1 });
  },
);

test('a backoff function is told which attempt failed, and how', async () => {
  const calls = [];
  const backoffMs = (...args) => {
    calls.push(args);
    return 0;
  };
  const queue = WorkQueue.create('q', { retry: { maxAttempts: 3, backoffMs } });
  queue.process(({ attempt }) => {
    if (attempt < 3) throw `attempt ${attempt}`;
    return attempt;
  });
  await expect(queue.enqueue(1)).resolves.toBe(3);
  expect(calls).toEqual([
    [1, 'attempt 1'],
    [2, 'attempt 2'],
  ]);
});

test.each([() => Number.NaN, () => -1, () => '5', () => undefined])(
  'a bad delay of a backoff function settles the job: %p',
  async (backoffMs) => {
    const queue = failing({ retry: { maxAttempts: 3, backoffMs } }, 1);
    const error = await rejection(queue.enqueue(1));
    expect(error.code).toBe('SLOPPY_E_WORK_JOB_FAILED');
    expect(error.cause).toEqual(
      new TypeError(
        'retry backoff must be a non-negative millisecond value or function.',
      ),
    );
    expect(queue.state.stats).toMatchObject({ failed: 1, retryExhausted: 0 });
  },
);

test('every attempt has a signal of its own, and the same data', async () => {
  const seen = [];
  const queue = WorkQueue.create('q', { retry: { maxAttempts: 2 } });
  queue.process((job, context) => {
    seen.push([job.id, job.attempt, context.attempt, job.data, context.signal]);
    job.data.touched = true;
    if (job.attempt === 1) throw 1;
  });
  await queue.enqueue({});
  const [[id, , , data, signal], again] = seen;
  expect(again.slice(0, 3)).toEqual([id, 2, 2]);
  expect(again[3]).toBe(data);
  expect(again[4]).not.toBe(signal);
  expect(signal.cancelled).toBe(false);
});

test('the sum of the stats holds at each moment', async () => {
  const queue = WorkQueue.create('q', { maxQueued: 4, concurrency: 2 });
  const gates = [];
  queue.process(
    () =>
      new Promise((resolve, reject) => {
        gates.push([resolve, reject]);
      }),
  );
  const check = () => {
    const { state } = queue;
    expect(totals(state)).toBe(state.stats.enqueued);
  };
  const controllers = [];
  const jobs = [];
  for (let n = 0; n < 8; n++) {
    const controller = new WorkerCancellationController();
    controllers.push(controller);
    jobs.push(queue.enqueue(n, { signal: controller.signal }));
    check();
  }
  const ends = Promise.allSettled(jobs);
  controllers[4].cancel();
  check();
  controllers[0].cancel();
  check();
  gates[1][1](new Error('no'));
  await null;
  check();
  const stopped = queue.stop({ drain: false });
  check();
  for (const [resolve] of gates) resolve();
  await stopped;
  check();
  await ends;
  expect(queue.state.stats.enqueued).toBe(6);
  expect(queue.state).toMatchObject({ queued: 0, active: 0 });
});

test('what a handler does after its caller has an answer changes nothing', async () => {
  const ends = [];
  const queue = WorkQueue.create('q').process(
    () =>
      new Promise((resolve, reject) => {
        ends.push(resolve, reject);
      }),
  );
  const controller = new WorkerCancellationController();
  const job = queue.enqueue(1, { signal: controller.signal });
  controller.cancel();
  await rejection(job);
  const before = queue.state;
  ends[1](new Error('late'));
  await queue.drain();
  expect(queue.state).toEqual(before);
});

test.each(['deadline', 'timeout'])(
  'a signal cancelled with "%s" is out of time',
  async (reason) => {
    const controller = new WorkerCancellationController();
    const queue = WorkQueue.create('q').process(() => new Promise(() => {}));
    const running = queue.enqueue(1, { signal: controller.signal });
    controller.cancel(reason);
    expect((await rejection(running)).code).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
    const late = queue.enqueue(1, { signal: controller.signal });
    expect((await rejection(late)).code).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
    expect(queue.state.stats).toMatchObject({ enqueued: 1, timedOut: 1 });
  },
);

test.each([
  ['drain', (queue) => queue.drain()],
  ['stop', (queue) => queue.stop()],
])('%s resolves after the callers know', async (_what, end) => {
  const log = [];
  const queue = WorkQueue.create('queue').process(({ data }) => {
    if (data === 'bad') throw new RangeError('bad');
  });
  const call = async (data) => {
    try {
      await queue.enqueue(data);
      log.push('good');
    } catch {
      log.push('bad');
    }
  };
  call('good');
  call('bad');
  call('good');
  call('bad');
  await end(queue);
  expect(log.sort()).toEqual(['bad', 'bad', 'good', 'good']);
});
