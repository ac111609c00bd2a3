'use strict';

// Jobs with a limit or a signal and nothing else: they are no objects while
// they are under way, and end like others.

const { WorkerPool, WorkerCancellationController } = require('../../../lib');
const { pendingTimers } = require('../../../lib/timers/timer-heap.js');

const echo = ({ input }) => input;
const forever = () => {
  for (;;);
};
const codeOf = (promise) =>
  promise.then(
    (value) => value,
    (error) => error.code,
  );

let pool;
beforeEach(() => {
  pool = WorkerPool.create('watched', { workers: 1, maxQueued: 5000 });
});
afterEach(async () => {
  await pool.stop({ timeoutMs: 0 });
  expect(pendingTimers()).toBe(0);
});

const controllers = {
  AbortController: () => new AbortController(),
  WorkerCancellationController: () => new WorkerCancellationController(),
};
const cancel = (controller, reason) =>
  controller.abort ? controller.abort(reason) : controller.cancel(reason);

test('a limit that holds leaves no timer behind', async () => {
  const jobs = Array.from({ length: 1000 }, (_, input) =>
    pool.run(echo, { input, timeoutMs: 10_000 + (input % 3) }),
  );
  // One for each duration.
  expect(pendingTimers()).toBe(3);
  expect(await Promise.all(jobs)).toEqual(jobs.map((_, input) => input));
  expect(pendingTimers()).toBe(0);
});

test('a running one, and one queued behind it, but not the others', async () => {
  const jobs = [
    pool.run(forever, { timeoutMs: 60 }),
    pool.run(echo, { input: 1, timeoutMs: 20 }),
    pool.run(echo, { input: 2, timeoutMs: 60_000 }),
    pool.run(echo, { input: 3 }),
  ];
  expect(await Promise.all(jobs.map(codeOf))).toEqual([
    'SLOPPY_E_WORK_JOB_TIMEOUT',
    'SLOPPY_E_WORK_JOB_TIMEOUT',
    2,
    3,
  ]);
  expect(pool.state.queue.stats).toMatchObject({ timedOut: 2, completed: 2 });
});

describe.each(Object.keys(controllers))('the signal of an %s', (kind) => {
  test('ends all that listen, running and queued, once', async () => {
    const controller = controllers[kind]();
    const { signal } = controller;
    const running = pool.run(forever, { signal });
    const queued = Array.from({ length: 50 }, (_, input) =>
      pool.run(echo, {
        input,
        signal,
        timeoutMs: input % 2 === 0 ? undefined : 60_000,
      }),
    );
    const other = pool.run(echo, { input: 'other' });
    cancel(controller, 'enough');
    const ends = await Promise.all([running, ...queued].map(codeOf));
    expect(new Set(ends)).toEqual(new Set(['SLOPPY_E_WORK_JOB_CANCELLED']));
    expect(await other).toBe('other');
    expect(pool.state.queue.stats).toMatchObject({
      cancelled: 51,
      completed: 1,
    });
    await expect(pool.run(echo, { signal })).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_CANCELLED',
    });
  });

  test('that is cancelled when they are over does nothing', async () => {
    const controller = controllers[kind]();
    const { signal } = controller;
    const jobs = Array.from({ length: 20 }, (_, input) =>
      pool.run(echo, { input, signal, timeoutMs: 60_000 }),
    );
    expect(await Promise.all(jobs)).toEqual(jobs.map((_, input) => input));
    cancel(controller);
    expect(await pool.run(echo, { input: 'next' })).toBe('next');
  });
});

test('a signal with a reason of a deadline is a timeout', async () => {
  const controller = new WorkerCancellationController();
  const { signal } = controller;
  pool.pause();
  const jobs = [1, 2, 3].map((input) => pool.run(echo, { input, signal }));
  controller.cancel('deadline');
  expect(await Promise.all(jobs.map(codeOf))).toEqual(
    jobs.map(() => 'SLOPPY_E_WORK_JOB_TIMEOUT'),
  );
});

test('a foreign signal has one listener while somebody listens', async () => {
  const listeners = new Set();
  const signal = {
    aborted: false,
    addEventListener: (_type, listener) => listeners.add(listener),
    removeEventListener: (_type, listener) => listeners.delete(listener),
  };
  pool.pause();
  const jobs = [1, 2, 3].map((input) => pool.run(echo, { input, signal }));
  expect(listeners.size).toBe(1);
  pool.resume();
  await jobs[0];
  // The first one was subscribed like others; two were not.
  const more = pool.run(echo, { input: 4, signal });
  expect(await Promise.all([...jobs, more])).toEqual([1, 2, 3, 4]);
  expect(listeners.size).toBe(0);
});

test('several signals and limits in turn', async () => {
  pool.pause();
  const signals = Array.from({ length: 5 }, () => new AbortController());
  const jobs = Array.from({ length: 200 }, (_, n) =>
    pool.run(echo, {
      input: n,
      signal: signals[n % 5].signal,
      timeoutMs: 1000 * (1 + (n % 7)),
    }),
  );
  signals[1].abort();
  signals[3].abort();
  pool.resume();
  const ends = await Promise.all(jobs.map(codeOf));
  expect(ends).toEqual(
    jobs.map((_, n) =>
      n % 5 === 1 || n % 5 === 3 ? 'SLOPPY_E_WORK_JOB_CANCELLED' : n,
    ),
  );
});

test('a stop finds them, and those that go on are watched as before', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const kept = pool.run(() => new Promise((resolve) => setTimeout(resolve, 1)));
  await kept;
  const running = [
    pool.run(forever, { signal }),
    pool.run(forever, { signal, timeoutMs: 60_000 }),
  ];
  const stopped = pool.stop({ drain: false, timeoutMs: 60_000 });
  controller.abort();
  expect(await Promise.all(running.map(codeOf))).toEqual([
    'SLOPPY_E_WORK_JOB_CANCELLED',
    'SLOPPY_E_WORKER_SHUTDOWN_CANCELLED',
  ]);
  expect(await stopped).toMatchObject({ cancelled: 1 });
});

test('what one emits makes it an object, which its limit still ends', async () => {
  const heard = [];
  pool.on('error', (error) => heard.push(error.message));
  // Its worker is up then, and the limit long enough to begin.
  await pool.run(() => 1);
  const job = pool.run(
    () => {
      Promise.reject(new Error('unheard'));
      return new Promise(() => setTimeout(() => {}, 60_000));
    },
    { timeoutMs: 1000 },
  );
  expect(await codeOf(job)).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
  expect(heard).toEqual(['unheard']);
});

test('a failure is its own, with a limit and a signal as well', async () => {
  const { signal } = new AbortController();
  const jobs = Array.from({ length: 30 }, (_, input) =>
    pool.run(
      ({ input: n }) => {
        if (n % 2 === 0) throw new RangeError(`no ${n}`);
        return n;
      },
      { input, signal, timeoutMs: 60_000 },
    ),
  );
  const ends = await Promise.all(
    jobs.map((job) => job.catch((error) => error.cause.message)),
  );
  expect(ends).toEqual(jobs.map((_, n) => (n % 2 === 0 ? `no ${n}` : n)));
});

test('with no room they wait or are refused like others, limit and all', async () => {
  const small = WorkerPool.create('small', {
    workers: 1,
    maxQueued: 1,
    overflow: 'backpressure',
    maxBackpressureWaiters: 2,
  });
  const { signal } = new AbortController();
  small.pause();
  const run = (timeoutMs) => small.run(echo, { input: 1, signal, timeoutMs });
  const jobs = [run(60_000), run(60_000), run(20), run(60_000), run(60_000)];
  const [late, full] = [codeOf(jobs[2]), codeOf(jobs[4])];
  expect(await late).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
  expect(await full).toBe('SLOPPY_E_WORK_QUEUE_FULL');
  small.resume();
  expect(await Promise.all([jobs[0], jobs[1], jobs[3]])).toEqual([1, 1, 1]);
  await small.stop();
});
