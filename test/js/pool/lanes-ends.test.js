'use strict';
// The call option `key`: keys that are full, and jobs that end while they are held
// back or run.

const {
  busy,
  createGate,
  poolWith,
  recorder,
  stopPools,
} = require('./lanes-support.js');

const FULL = 'SLOPPY_E_WORK_QUEUE_FULL';

afterEach(stopPools);

describe.each(['isolate', 'thread'])('in runtime %s', (runtime) => {
  test('a full key is refused, others are not', async () => {
    for (const overflow of ['reject', 'backpressure']) {
      const pool = poolWith({ runtime, overflow, maxQueuedPerKey: 2 });
      const release = await busy(pool, { key: 'a' });
      const give = ({ input }) => input;
      const jobs = [0, 1].map((input) => pool.run(give, { key: 'a', input }));
      await expect(pool.run(give, { key: 'a' })).rejects.toMatchObject({
        code: FULL,
        message: `${FULL}: work queue is full for this key`,
        hint: expect.stringContaining('maxQueuedPerKey'),
      });
      const other = pool.run(give, { key: 'b', input: 2 });
      expect(pool.state.queue.stats).toMatchObject({
        enqueued: 4,
        overflow: 1,
      });
      // A job that leaves makes room.
      await release();
      expect(await Promise.all([...jobs, other])).toEqual([0, 1, 2]);
      const again = pool.run(give, { key: 'a', input: 3 });
      expect(await again).toBe(3);
    }
  });

  test('held back jobs are cancelled, expire, and make room', async () => {
    const pool = poolWith({ runtime, maxQueuedPerKey: 3 });
    const release = await busy(pool, { key: 'a' });
    const controller = new AbortController();
    const { signal } = controller;
    const give = ({ input }) => input;
    const jobs = [
      pool.run(give, { key: 'a', input: 0, signal }),
      pool.run(give, { key: 'a', input: 1, timeoutMs: 5 }),
      pool.run(give, { key: 'a', input: 2 }),
    ];
    await expect(jobs[1]).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_TIMEOUT',
    });
    controller.abort();
    await expect(jobs[0]).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_CANCELLED',
    });
    expect(pool.state.queue).toMatchObject({ active: 1, queued: 1 });
    const more = [3, 4].map((input) => pool.run(give, { key: 'a', input }));
    await expect(pool.run(give, { key: 'a' })).rejects.toMatchObject({
      code: FULL,
    });
    await release();
    expect(await Promise.all([jobs[2], ...more])).toEqual([2, 3, 4]);
    expect(pool.state.queue).toMatchObject({ active: 0, queued: 0 });
  });

  test('waiters keep their key, and its bound counts them', async () => {
    const pool = poolWith({
      runtime,
      maxQueued: 1,
      overflow: 'backpressure',
      maxBackpressureWaiters: 100,
      maxQueuedPerKey: 4,
    });
    const release = await busy(pool, { key: 'a' });
    const { order, run } = recorder(pool);
    const jobs = ['a1', 'a2', 'a3', 'b1', 'a4'].map((name) =>
      run(name[0], name),
    );
    expect(pool.metrics().gauges.waiting).toBe(4);
    await expect(run('a', 'a5')).rejects.toMatchObject({ code: FULL });
    await release();
    await Promise.all(jobs);
    expect(order.filter((name) => name !== 'b1')).toEqual([
      'a1',
      'a2',
      'a3',
      'a4',
    ]);
  });

  test('stop drains what is held back', async () => {
    const pool = poolWith({ runtime, workers: 2 });
    const { order, run } = recorder(pool);
    const jobs = Array.from({ length: 20 }, (_, i) => run('a', i));
    await pool.stop({ timeoutMs: 60_000 });
    await Promise.all(jobs);
    expect(order).toHaveLength(20);
  });

  test('stop without drain rejects what is held back', async () => {
    const pool = poolWith({ runtime, workers: 4 });
    const release = await busy(pool, { key: 'a' });
    const jobs = [1, 2, 3].map((input) =>
      pool.run(({ input }) => input, { key: 'a', input }),
    );
    const ends = Promise.allSettled(jobs);
    const stopped = pool.stop({ drain: false });
    for (const { reason } of await ends) {
      expect(reason.code).toBe('SLOPPY_E_WORKER_SHUTDOWN_CANCELLED');
    }
    await release();
    expect(await stopped).toEqual({ cancelled: 3, forced: 0 });
  });

  test('and by force when time is up', async () => {
    const pool = poolWith({ runtime });
    await busy(pool, { key: 'a' });
    const job = pool.run(() => 1, { key: 'a' });
    const end = expect(job).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_SHUTDOWN_CANCELLED',
    });
    expect(await pool.stop({ timeoutMs: 1 })).toEqual({
      cancelled: 0,
      forced: 2,
    });
    await end;
  });

  test('the next job runs after one that failed, ended or was lost', async () => {
    const pool = poolWith({ runtime });
    const key = 'a';
    const ends = await Promise.allSettled([
      pool.run(() => 1, { key }),
      pool.run(
        () => {
          throw new Error('x');
        },
        { key },
      ),
      pool.run(
        () => {
          for (;;);
        },
        { key, timeoutMs: 50 },
      ),
      pool.run(() => Symbol.iterator, { key }),
      pool.run(() => process.exit(1), { key }),
      pool.run(() => 2, { key }),
    ]);
    expect(ends.map(({ status }) => status[0]).join('')).toBe('frrrrf');
    expect(ends[4].reason.code).toBe('SLOPPY_E_WORKER_CRASHED');
    expect(ends[5].value).toBe(2);
  });

  test('a job whose caller gave up still counts while its code runs', async () => {
    const gate = createGate();
    const started = createGate();
    const pool = poolWith({
      runtime,
      workers: 2,
      cancelGraceMs: 60_000,
      host: { wait: () => gate.opened },
    });
    const controller = new AbortController();
    const { signal } = controller;
    const first = pool.run(
      async ({ emit, host }) => {
        emit(0);
        await host.wait();
      },
      { key: 'a', signal, onMessage: started.open },
    );
    await started.opened;
    const second = pool.run(() => 2, { key: 'a' });
    controller.abort();
    await expect(first).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_CANCELLED',
    });
    expect(await pool.run(() => 'b', { key: 'b' })).toBe('b');
    expect(pool.state.queue).toMatchObject({ active: 1, queued: 1 });
    gate.open();
    expect(await second).toBe(2);
  });
});
