'use strict';
// Sections 2.4, 2.5, 3.2, 10 and 11 for pools: capacity, waiters, stats;
// pool-stop.test.js has their end.

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const {
  busyPool,
  createPool,
  expectBalanced,
  outcomes,
  rejection,
  stopAll,
} = require('./support.js');

afterEach(stopAll);

const one = () => 1;
const give = ({ input }) => input;
const FULL = 'SLOPPY_E_WORK_QUEUE_FULL: work queue is full';

describe('overflow "reject"', () => {
  test('workers + maxQueued jobs are in, the next is refused', async () => {
    const pool = createPool({ workers: 2, maxQueued: 3 });
    const jobs = Array.from({ length: 5 }, (_, input) =>
      pool.run(give, { input }),
    );
    const refused = pool.run(give, { input: 5 });
    expect(pool.state.queue).toMatchObject({ active: 2, queued: 3 });
    expect((await rejection(refused)).message).toBe(FULL);
    expect(await Promise.all(jobs)).toEqual([0, 1, 2, 3, 4]);
    expect(pool.state.queue.stats).toMatchObject({
      enqueued: 5,
      completed: 5,
      overflow: 1,
    });
    expectBalanced(pool.state);
  });

  test('a place is free again after a job', async () => {
    const pool = createPool({ workers: 1, maxQueued: 1 });
    for (let i = 0; i < 3; i += 1) {
      expect(await outcomes([1, 2, 3].map(() => pool.run(one)))).toEqual([
        'resolved',
        'resolved',
        Code.QueueFull,
      ]);
    }
    expect(pool.state.queue.stats).toMatchObject({ enqueued: 6, overflow: 3 });
  });

  test('bytes count as well', async () => {
    const { pool, release } = await busyPool({ maxQueuedBytes: 1000 });
    const queued = pool.run(give, { input: 'x'.repeat(900) });
    const refused = pool.run(give, { input: 'x'.repeat(900) });
    expect((await rejection(refused)).code).toBe(Code.QueueFull);
    release();
    expect(await queued).toHaveLength(900);
  });
});

describe('order', () => {
  test('one worker takes jobs in the order of submission', async () => {
    const pool = createPool({ workers: 1 });
    const order = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, input) =>
        pool.run(give, { input }).then((value) => order.push(value)),
      ),
    );
    expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  test('a higher priority goes first among queued jobs', async () => {
    const { pool, release } = await busyPool();
    const order = [];
    const jobs = [4, 7, 0].map((priority) =>
      pool
        .run(give, { input: priority, priority })
        .then((value) => order.push(value)),
    );
    release();
    await Promise.all(jobs);
    expect(order).toEqual([0, 4, 7]);
  });
});

describe('overflow "backpressure"', () => {
  test('waiters are admitted oldest first', async () => {
    const { pool, release } = await busyPool({
      maxQueued: 1,
      overflow: 'backpressure',
      maxBackpressureWaiters: 10,
    });
    const order = [];
    const jobs = Array.from({ length: 8 }, (_, input) =>
      pool.run(give, { input }).then((value) => order.push(value)),
    );
    expect(pool.state.queue).toMatchObject({ active: 1, queued: 1 });
    expect(pool.state.queue.stats).toMatchObject({ enqueued: 2, overflow: 7 });
    release();
    await Promise.all(jobs);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(pool.state.queue.stats).toMatchObject({ enqueued: 9, completed: 8 });
  });

  test('a new submission does not overtake a waiter', async () => {
    const { pool, release, blocker } = await busyPool({
      maxQueued: 1,
      overflow: 'backpressure',
      maxBackpressureWaiters: 2,
    });
    const order = [];
    const note = (value) => order.push(value);
    const first = pool.run(give, { input: 'queued' }).then(note);
    const second = pool.run(give, { input: 'waiter' }).then(note);
    release();
    await blocker.catch(() => {});
    const third = pool.run(give, { input: 'new' }).then(note);
    await Promise.all([first, second, third]);
    expect(order).toEqual(['queued', 'waiter', 'new']);
  });

  test('too many waiters', async () => {
    const pool = createPool({
      maxQueued: 1,
      overflow: 'backpressure',
      maxBackpressureWaiters: 1,
    });
    const jobs = [1, 2, 3].map(() => pool.run(one));
    const error = await rejection(pool.run(one));
    expect(error.message).toBe(
      'SLOPPY_E_WORK_QUEUE_FULL: work queue backpressure waiters are full',
    );
    expect(await Promise.all(jobs)).toEqual([1, 1, 1]);
    expect(pool.state.queue.stats.overflow).toBe(2);
  });

  test('as many waiters as maxQueued by default', async () => {
    const pool = createPool({ maxQueued: 2, overflow: 'backpressure' });
    const jobs = Array.from({ length: 6 }, () => pool.run(one));
    expect(await outcomes(jobs)).toEqual([
      ...Array(5).fill('resolved'),
      Code.QueueFull,
    ]);
  });

  test('a waiter has its own copy of its payload', async () => {
    const { pool, release } = await busyPool({
      maxQueued: 1,
      overflow: 'backpressure',
    });
    const input = { list: [1], bytes: new Uint8Array([1, 2]) };
    const queued = pool.run(give, { input });
    const waiter = pool.run(give, { input });
    input.list.push(2);
    input.bytes[0] = 9;
    release();
    const copy = { list: [1], bytes: new Uint8Array([1, 2]) };
    expect(await queued).toEqual(copy);
    expect(await waiter).toEqual(copy);
  });

  test('a waiter that is cancelled or expires never runs', async () => {
    const { pool, release } = await busyPool({
      maxQueued: 1,
      overflow: 'backpressure',
    });
    const controller = new AbortController();
    const mark = () => {
      globalThis.ran = true;
    };
    const queued = pool.run(one);
    const waiter = pool.run(mark, { signal: controller.signal });
    controller.abort();
    expect((await rejection(waiter)).code).toBe(Code.JobCancelled);
    // The time may be over before the job can wait, on a busy machine.
    for (
      let timeoutMs = 1;
      pool.state.queue.stats.overflow < 2;
      timeoutMs *= 2
    ) {
      const late = pool.run(mark, { timeoutMs });
      expect((await rejection(late)).code).toBe(Code.JobTimeout);
    }
    expect(pool.state.queue.stats).toMatchObject({
      enqueued: 2,
      cancelled: 1,
      timedOut: 1,
      overflow: 2,
    });
    release();
    await queued;
    expect(await pool.run(() => typeof globalThis.ran)).toBe('undefined');
  });
});

describe('queued jobs', () => {
  test('an expired one is rejected at once and gives its place', async () => {
    const { pool, release } = await busyPool({ maxQueued: 1 });
    const queued = pool.run(one, { timeoutMs: 1 });
    expect((await rejection(queued)).code).toBe(Code.JobTimeout);
    expect(pool.state.queue).toMatchObject({ queued: 0, active: 1 });
    const next = pool.run(one);
    release();
    expect(await next).toBe(1);
  });

  test('a cancelled one admits the next waiter', async () => {
    const { pool, release } = await busyPool({
      maxQueued: 1,
      overflow: 'backpressure',
    });
    const controller = new AbortController();
    const queued = pool.run(one, { signal: controller.signal });
    const waiter = pool.run(one);
    expect(pool.state.queue.stats.enqueued).toBe(2);
    controller.abort();
    expect(pool.state.queue.stats.enqueued).toBe(3);
    expect((await rejection(queued)).code).toBe(Code.JobCancelled);
    release();
    expect(await waiter).toBe(1);
  });
});

test('each end of a job is counted once, and only there', async () => {
  const pool = createPool({ workers: 2, maxQueued: 100 });
  const controller = new AbortController();
  const jobs = [
    pool.run(one),
    pool.run(() => {
      throw new Error('x');
    }),
    pool.run(
      () => {
        for (;;);
      },
      { timeoutMs: 5 },
    ),
    pool.run(
      ({ emit }) => {
        emit(1);
        for (;;);
      },
      { signal: controller.signal, onMessage: () => controller.abort() },
    ),
  ];
  expectBalanced(pool.state);
  expect(await outcomes(jobs)).toEqual([
    'resolved',
    Code.JobFailed,
    Code.JobTimeout,
    Code.JobCancelled,
  ]);
  await pool.drain();
  expect(pool.state.queue.stats).toEqual({
    enqueued: 4,
    completed: 1,
    failed: 1,
    cancelled: 1,
    timedOut: 1,
    retryExhausted: 0,
    overflow: 0,
  });
});

test('a promise settles once, and late results change nothing', async () => {
  const controller = new AbortController();
  const pool = createPool({ cancelGraceMs: 60_000 });
  let settlements = 0;
  let tell;
  const started = new Promise((resolve) => {
    tell = resolve;
  });
  const job = pool.run(
    ({ signal, emit }) => {
      emit(1);
      while (!signal.cancelled);
      return 'late';
    },
    { signal: controller.signal, onMessage: tell },
  );
  job.then(
    () => {
      settlements += 1;
    },
    () => {
      settlements += 1;
    },
  );
  await started;
  controller.abort();
  const stats = pool.state.queue.stats;
  await pool.drain();
  expect(settlements).toBe(1);
  expect(pool.state.queue.stats).toEqual(stats);
});
