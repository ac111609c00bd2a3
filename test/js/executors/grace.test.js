'use strict';
// `cancelGraceMs`: what a job may still do once its caller has an answer.

const { WorkerPool } = require('../../../lib/index.js');

const CANCELLED = 'SLOPPY_E_WORK_JOB_CANCELLED';
const TIMEOUT = 'SLOPPY_E_WORK_JOB_TIMEOUT';
const pools = [];

function poolWith(options) {
  const pool = WorkerPool.create('grace', {
    cancelGraceMs: 100_000,
    ...options,
  });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  const left = pools.splice(0);
  const now = { drain: false, timeoutMs: 0 };
  await Promise.all(left.map((pool) => pool.stop(now)));
});

/** A job that takes a lock of its owner's and gives it back when it is told. */
async function lockAndWait({ signal, host, emit }) {
  const told = new Promise((resolve) => {
    signal.addEventListener('abort', resolve);
  });
  const lock = await host.take();
  emit('taken');
  await told;
  emit('never heard');
  return host.release(lock, await host.signalIsOver());
}

function lockHost() {
  const released = [];
  const host = {
    take: () => 7,
    signalIsOver() {
      return this.signal?.cancelled ?? this.signal?.aborted ?? true;
    },
    release: async (lock, isOver) => {
      released.push([lock, isOver]);
    },
  };
  return { host, released };
}

describe.each([
  { runtime: 'isolate' },
  { runtime: 'isolate', concurrentJobsPerWorker: 4 },
  { runtime: 'thread' },
  { runtime: 'thread', concurrentJobsPerWorker: 4 },
])('with %j', (options) => {
  test('a cancelled job may call the owner, and ends by itself', async () => {
    const { host, released } = lockHost();
    const pool = poolWith({ ...options, host });
    const controller = new AbortController();
    const heard = [];
    const job = pool.run(lockAndWait, {
      signal: controller.signal,
      onMessage: (value) => {
        heard.push(value);
        controller.abort();
      },
    });
    await expect(job).rejects.toMatchObject({ code: CANCELLED });
    await pool.stop({ timeoutMs: 100_000 });
    expect(released).toEqual([[7, true]]);
    expect(heard).toEqual(['taken']);
  });

  test('a late one as well', async () => {
    const { host, released } = lockHost();
    const pool = poolWith({ ...options, host });
    const job = pool.run(lockAndWait, { runTimeoutMs: 50 });
    await expect(job).rejects.toMatchObject({ code: TIMEOUT });
    await pool.stop({ timeoutMs: 100_000 });
    expect(released).toHaveLength(1);
  });

  test('a streamed input that it waits for ends with the reason', async () => {
    const { host, released } = lockHost();
    const pool = poolWith({ ...options, host });
    const controller = new AbortController();
    async function* endless() {
      yield 1;
      controller.abort();
      await new Promise(() => {});
    }
    const job = pool.run(
      async ({ input, host }) => {
        try {
          for await (const _value of input);
        } catch (error) {
          await host.release(error.code, true);
        }
      },
      { input: endless(), signal: controller.signal },
    );
    await expect(job).rejects.toMatchObject({ code: CANCELLED });
    await pool.stop({ timeoutMs: 100_000 });
    expect(released).toEqual([[CANCELLED, true]]);
  });

  test('a generator that its consumer keeps waiting is closed', async () => {
    const { host, released } = lockHost();
    const pool = poolWith({ ...options, host });
    const controller = new AbortController();
    const values = pool.stream(
      async function* ({ host }) {
        try {
          for (let n = 0; ; n += 1) yield n;
        } finally {
          await host.release('generator', true);
        }
      },
      { signal: controller.signal },
    );
    const read = async () => {
      for await (const value of values) if (value === 3) controller.abort();
    };
    await expect(read()).rejects.toMatchObject({ code: CANCELLED });
    await pool.stop({ timeoutMs: 100_000 });
    expect(released).toEqual([['generator', true]]);
  });
});
