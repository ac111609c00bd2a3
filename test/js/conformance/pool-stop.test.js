'use strict';
// The end of a pool: `drain`, `stop` and disposal, in all runtimes.

const { Admission } = require('../../../lib/admission/admission.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { Job } = require('../../../lib/admission/job.js');
const { NO_OPERATION } = require('../../../lib/admission/operation.js');
const {
  busyPool,
  createGate,
  createPool,
  expectBalanced,
  outcomes,
  rejection,
  stopAll,
} = require('./support.js');

afterEach(stopAll);

const one = () => 1;
const SHUTDOWN =
  'SLOPPY_E_WORKER_SHUTDOWN_CANCELLED: queued job was cancelled by shutdown';

describe('drain', () => {
  test('resolves at once when idle, and for all callers together', async () => {
    const pool = createPool();
    expect(await pool.drain()).toBeUndefined();
    let done = 0;
    const job = pool.run(one).then(() => {
      done += 1;
    });
    await Promise.all([pool.drain(), pool.drain()]);
    await job;
    expect(done).toBe(1);
    expect(await pool.run(one)).toBe(1);
  });

  test('includes waiters and failures', async () => {
    const pool = createPool({ maxQueued: 1, overflow: 'backpressure' });
    const jobs = [
      pool.run(() => {
        throw new Error('x');
      }),
      pool.run(one),
      pool.run(one),
    ];
    const settled = outcomes(jobs);
    await pool.drain();
    expect(pool.state.queue.stats).toMatchObject({ completed: 2, failed: 1 });
    expect(await settled).toEqual([Code.JobFailed, 'resolved', 'resolved']);
  });
});

describe('stop', () => {
  test('lets admitted jobs finish, rejects waiters', async () => {
    const pool = createPool({ maxQueued: 1, overflow: 'backpressure' });
    const jobs = [pool.run(one), pool.run(one), pool.run(one)];
    const settled = outcomes(jobs);
    const stopped = pool.stop();
    expect(pool.state.queue.stopped).toBe(true);
    expect(await settled).toEqual(['resolved', 'resolved', Code.QueueStopped]);
    expect(await stopped).toEqual({ cancelled: 0, forced: 0 });
    expect(pool.state.queue.stats).toMatchObject({
      enqueued: 2,
      completed: 2,
      cancelled: 0,
    });
    expect(pool.state.queue).toMatchObject({ active: 0, queued: 0 });
  });

  test('without drain rejects queued jobs and waiters', async () => {
    const { pool, blocker, release } = await busyPool({
      maxQueued: 1,
      overflow: 'backpressure',
    });
    const queued = pool.run(one);
    const waiter = pool.run(one);
    const errors = Promise.all([rejection(queued), rejection(waiter)]);
    const stopped = pool.stop({ drain: false });
    // The running job goes on.
    expect(pool.state.queue).toMatchObject({ active: 1, queued: 0 });
    expect(pool.state.queue.stats.cancelled).toBe(2);
    expect((await errors).map((error) => error.message)).toEqual([
      SHUTDOWN,
      SHUTDOWN,
    ]);
    release();
    expect((await rejection(blocker)).code).toBe(Code.JobCancelled);
    expect(await stopped).toEqual({ cancelled: 2, forced: 0 });
  });

  // Whether a thread has taken it already is not for the caller to know.
  test('without drain what counts as active goes on', async () => {
    const gate = createGate();
    const pool = createPool({ workers: 2, host: { wait: gate.wait } });
    const slowly = async ({ input, host }) => {
      await host.wait();
      return input;
    };
    const run = (input, priority) => pool.run(slowly, { input, priority });
    const jobs = [run('a'), run('b', 7), run('c'), run('d', 0)];
    const settled = Promise.allSettled(jobs);
    expect(pool.state.queue).toMatchObject({ active: 2, queued: 2 });
    const stopped = pool.stop({ drain: false });
    expect(pool.state.queue).toMatchObject({ active: 2, queued: 0 });
    gate.open();
    expect(await stopped).toEqual({ cancelled: 2, forced: 0 });
    const values = (await settled).map(({ value }) => value);
    // Threads that had none of them yet take the most urgent two.
    expect(values.filter((value) => value !== undefined)).toHaveLength(2);
    expectBalanced(pool.state);
  });

  test('without drain nothing of a paused pool goes on', async () => {
    const pool = createPool();
    pool.pause();
    const settled = outcomes([pool.run(one), pool.run(one)]);
    expect(await pool.stop({ drain: false })).toEqual({
      cancelled: 2,
      forced: 0,
    });
    expect(await settled).toEqual(Array(2).fill(Code.ShutdownCancelled));
  });

  test('a running job may finish without drain', async () => {
    const pool = createPool();
    let tell;
    const started = new Promise((resolve) => {
      tell = resolve;
    });
    const job = pool.run(
      async ({ emit }) => {
        emit('started');
        await new Promise((resolve) => setTimeout(resolve, 5));
        return 'finished';
      },
      { onMessage: tell },
    );
    await started;
    const stopped = pool.stop({ drain: false });
    expect(await job).toBe('finished');
    expect(await stopped).toEqual({ cancelled: 0, forced: 0 });
  });

  test.each([undefined, null, true])('drain: %p drains', async (drain) => {
    const pool = createPool();
    const jobs = [pool.run(one), pool.run(one)];
    await pool.stop({ drain });
    expect(await outcomes(jobs)).toEqual(['resolved', 'resolved']);
  });

  test('forces an endless loop down when its time is up', async () => {
    const { pool, blocker } = await busyPool();
    const queued = pool.run(one);
    const stopped = pool.stop({ timeoutMs: 1 });
    const errors = await Promise.all([rejection(blocker), rejection(queued)]);
    expect(errors.map((error) => error.code)).toEqual([
      Code.ShutdownCancelled,
      Code.ShutdownCancelled,
    ]);
    expect(await stopped).toEqual({ cancelled: 0, forced: 2 });
    expectBalanced(pool.state);
    expect(pool.state.queue.stats.cancelled).toBe(2);
  });

  // Threads take jobs by themselves: one that no thread has taken yet is
  // removed by the force itself. Here none is ever taken.
  test('counts the last job that it rejects', async () => {
    const held = new Set();
    const queue = new Admission({
      name: 'held',
      maxQueued: 5,
      concurrency: 1,
      overflow: 'reject',
      maxBackpressureWaiters: 1,
      executor: {
        submit: (job) => held.add(job),
        remove: (job) => held.delete(job),
        interrupt: () => {},
        jobs: () => [...held],
      },
    });
    const submit = () => queue.admit(new Job(NO_OPERATION, 0));
    const settled = outcomes([submit(), submit()]);
    const draining = queue.stop({ timeoutMs: 0 });
    expect(await draining).toEqual({ cancelled: 0, forced: 2 });
    expect(await settled).toEqual(Array(2).fill(Code.ShutdownCancelled));
  });

  test('may be called again, also to give up draining', async () => {
    const { pool, blocker, release } = await busyPool();
    const queued = pool.run(one);
    const first = pool.stop();
    const second = pool.stop({ drain: false });
    expect((await rejection(queued)).message).toBe(SHUTDOWN);
    release();
    await rejection(blocker);
    await Promise.all([first, second, pool.stop(), pool.drain()]);
  });

  test('refuses from then on, as a rejection', async () => {
    const pool = createPool();
    await pool.stop();
    const error = await rejection(pool.run(one));
    expect(error.message).toBe(
      'SLOPPY_E_WORK_QUEUE_STOPPED: work queue is stopped',
    );
    expect(await pool.drain()).toBeUndefined();
    expect(pool.state.queue.stats.enqueued).toBe(0);
  });

  test('a pool that never ran anything', async () => {
    expect(await createPool().stop()).toEqual({ cancelled: 0, forced: 0 });
  });

  test.each([[], 5, 'x'])('bad options %p reject', async (options) => {
    const pool = createPool();
    expect(await rejection(pool.stop(options))).toBeInstanceOf(TypeError);
    expect(pool.state.queue.stopped).toBe(false);
  });

  test('bad timeoutMs rejects before anything stops', async () => {
    const pool = createPool();
    expect(await rejection(pool.stop({ timeoutMs: 'x' }))).toBeInstanceOf(
      TypeError,
    );
    expect(await pool.run(one)).toBe(1);
  });
});

describe('disposal', () => {
  test('await using drains', async () => {
    const pool = createPool();
    const job = pool.run(one);
    await pool[Symbol.asyncDispose]();
    expect(await job).toBe(1);
    expect(pool.state.queue.stopped).toBe(true);
  });

  test('using does not wait', async () => {
    const { pool, blocker } = await busyPool();
    const settled = outcomes([blocker, pool.run(one)]);
    expect(pool[Symbol.dispose]()).toBeUndefined();
    expect(pool.state.queue.stopped).toBe(true);
    await pool.stop({ timeoutMs: 0 });
    expect(await settled).toEqual([
      Code.ShutdownCancelled,
      Code.ShutdownCancelled,
    ]);
  });
});
