'use strict';

const { Worker } = require('../../../lib/pool/worker.js');
const { WorkerPool } = require('../../../lib/pool/worker-pool.js');

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const endless = () => {
  for (;;);
};
const FIELDS = [
  ...['name', 'key', 'queueMs', 'runMs', 'cpuMs', 'heapPeakBytes'],
  ...['payloadBytes', 'resultBytes', 'worker', 'attempt', 'outcome', 'code'],
];

describe.each(['isolate', 'thread'])('receipts, runtime %s', (runtime) => {
  const isIsolate = runtime === 'isolate';
  let pool;
  let receipts;
  const receipt = (each) => receipts.push(each);
  const create = (options) => {
    pool = WorkerPool.create('pool', { runtime, ...options });
    return pool;
  };
  /** Those that come within some turns. */
  const until = async (count) => {
    while (receipts.length < count) await sleep(5);
    await sleep(20);
    expect(receipts).toHaveLength(count);
    return receipts;
  };
  beforeEach(() => {
    receipts = [];
  });
  afterEach(() => pool.stop({ drain: false, timeoutMs: 2000 }));

  test('says what a job has cost, once', async () => {
    create();
    const work = function compute({ input }) {
      const until = Date.now() + 20;
      const all = [];
      while (Date.now() < until) all.push(new Array(100).fill(input));
      return 'result';
    };
    await pool.run(work, { input: 'payload', receipt });
    const [one] = await until(1);
    expect(Object.keys(one)).toEqual(FIELDS);
    expect(Object.isFrozen(one)).toBe(true);
    expect(one).toMatchObject({
      name: 'compute',
      key: null,
      worker: 1,
      attempt: 1,
      outcome: 'completed',
      code: null,
    });
    expect(one.queueMs).toBeGreaterThanOrEqual(0);
    expect(one.runMs).toBeGreaterThanOrEqual(15);
    expect(one.payloadBytes).toBeGreaterThan(0);
    if (isIsolate) {
      expect(one.cpuMs).toBeGreaterThan(0);
      expect(one.cpuMs).toBeLessThanOrEqual(one.runMs + 1);
      expect(one.heapPeakBytes).toBeGreaterThan(2 ** 18);
      expect(one.heapPeakBytes).toBeLessThan(128 * 2 ** 20);
      expect(one.resultBytes).toBeGreaterThan(0);
    } else {
      expect(one).toMatchObject({
        cpuMs: null,
        heapPeakBytes: null,
        resultBytes: null,
      });
    }
    expect(JSON.stringify(one)).not.toMatch(/payload"|result"/);
  });

  test('a peak is seen though its garbage was collected', async () => {
    create();
    if (!isIsolate) return;
    const peak = async (bytes) => {
      receipts = [];
      await pool.run(
        ({ input }) => {
          let kept = [];
          for (let i = 0; i < input / 800; i += 1)
            kept.push(new Array(100).fill(i));
          const { length } = kept;
          kept = null;
          for (let i = 0; i < 4e5; i += 1) new Array(100).fill(i);
          return length;
        },
        { input: bytes, receipt },
      );
      return (await until(1))[0].heapPeakBytes;
    };
    const small = await peak(800);
    expect(await peak(40 * 2 ** 20)).toBeGreaterThan(
      Math.max(small, 36 * 2 ** 20),
    );
  });

  test('each tiny job has its own', async () => {
    create({ workers: 2, maxQueued: 100 });
    const jobs = Array.from({ length: 50 }, () =>
      pool.run(() => 1, { receipt }),
    );
    await Promise.all([...jobs, ...jobs.map(() => pool.run(() => 2))]);
    await until(50);
    for (const each of receipts) {
      expect(each).toMatchObject({ outcome: 'completed', code: null });
      if (isIsolate) expect(each.cpuMs).toBeGreaterThanOrEqual(0);
    }
  });

  test('a job that fails', async () => {
    create();
    const fails = () => {
      throw new Error('secret');
    };
    await expect(pool.run(fails, { receipt })).rejects.toThrow();
    const [one] = await until(1);
    expect(one).toMatchObject({
      name: 'fails',
      outcome: 'failed',
      code: 'SLOPPY_E_WORK_JOB_FAILED',
      resultBytes: null,
    });
    expect(JSON.stringify(one)).not.toContain('secret');
  });

  test('one that is late, once its worker is done with it', async () => {
    create();
    await pool.run(() => 1);
    await expect(
      // A busy machine may not begin it before a limit that counts its wait too.
      pool.run(endless, { runTimeoutMs: 30, receipt }),
    ).rejects.toMatchObject({ code: 'SLOPPY_E_WORK_JOB_TIMEOUT' });
    const [one] = await until(1);
    expect(one).toMatchObject({
      outcome: 'timedOut',
      code: 'SLOPPY_E_WORK_JOB_TIMEOUT',
      worker: 1,
      resultBytes: null,
    });
    expect(one.runMs).toBeGreaterThan(0);
  });

  test('one that is cancelled while it is queued', async () => {
    create({ workers: 1 });
    await pool.run(() => 1);
    pool.pause();
    const controller = new AbortController();
    const second = pool.run(() => 1, { signal: controller.signal, receipt });
    await sleep(10);
    controller.abort();
    await expect(second).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_CANCELLED',
    });
    const [one] = await until(1);
    expect(one).toMatchObject({
      outcome: 'cancelled',
      code: 'SLOPPY_E_WORK_JOB_CANCELLED',
      runMs: 0,
      cpuMs: 0,
      heapPeakBytes: null,
      worker: null,
    });
    expect(one.queueMs).toBeGreaterThan(5);
  });

  test('one whose worker is lost', async () => {
    create({ memoryLimitMb: 32 });
    const grows = () => {
      const kept = [];
      for (;;) kept.push(new Array(1000).fill(kept.length));
    };
    await expect(pool.run(grows, { receipt })).rejects.toThrow();
    const [one] = await until(1);
    expect(one).toMatchObject({
      name: 'grows',
      outcome: 'failed',
      code: 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED',
    });
  });

  test('a call that is refused has none', async () => {
    create({ workers: 1, maxQueued: 1 });
    const jobs = [0, 1, 2].map(() => pool.run(() => 1, { receipt }));
    const ends = await Promise.allSettled(jobs);
    expect(ends.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'rejected'],
    ]);
    await until(2);
    for (const wrong of [1, 'text', {}]) {
      const call = pool.run(() => 1, { receipt: wrong });
      await expect(call).rejects.toThrow('worker receipt must be a function');
    }
  });

  test('the event `job` has those of all, until nobody listens', async () => {
    create({ workers: 2, minWorkers: 2 });
    const listener = (each) => receipts.push(each.outcome);
    pool.on('job', listener);
    await pool.run(() => 1);
    await pool.run(() => 1, { input: { a: [1] }, timeoutMs: 60_000 });
    await pool.broadcast(() => 1);
    for await (const _ of pool.map([1, 2], () => 1));
    await until(6);
    pool.off('job', listener);
    await pool.run(() => 1);
    await until(6);
  });

  test('is told in the context of its call, and may throw', async () => {
    create();
    const { AsyncLocalStorage } = require('node:async_hooks');
    const storage = new AsyncLocalStorage();
    const seen = new Promise((resolve) => {
      storage.run('mine', () => {
        pool.run(() => 1, { receipt: () => resolve(storage.getStore()) });
      });
    });
    await expect(seen).resolves.toBe('mine');
    const warned = jest.spyOn(process, 'emitWarning').mockReturnValue();
    await pool.run(() => 1, {
      receipt: () => {
        throw new Error('from a receipt');
      },
    });
    while (warned.mock.calls.length === 0) await sleep(5);
    expect(warned.mock.calls[0][1].code).toBe('SLOPPY_W_LISTENER_THREW');
    warned.mockRestore();
    await expect(pool.run(() => 2)).resolves.toBe(2);
  });

  test('beside metrics, which count as before', async () => {
    create({ metrics: true });
    await pool.run(() => 1, { receipt });
    await pool.run(() => 1);
    await until(1);
    const { counters, histograms } = pool.metrics();
    expect(counters.completed).toBe(2);
    expect(histograms.runMs.count).toBe(2);
  });
});

test('jobs that share a worker share its memory and CPU time', async () => {
  const pool = WorkerPool.create('pool', { concurrentJobsPerWorker: 2 });
  const receipts = [];
  const receipt = (each) => receipts.push(each);
  const wait = () => new Promise((resolve) => setTimeout(resolve, 10));
  await Promise.all([pool.run(wait, { receipt }), pool.run(wait, { receipt })]);
  await sleep(20);
  expect(receipts).toHaveLength(2);
  for (const each of receipts) {
    expect(each).toMatchObject({
      cpuMs: null,
      heapPeakBytes: null,
      outcome: 'completed',
    });
  }
  await pool.stop();
});

test('of calls of a Worker too', async () => {
  const fs = require('node:fs');
  const os = require('node:os');
  const path = require('node:path');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'receipt-'));
  const file = path.join(folder, 'm.mjs');
  fs.writeFileSync(file, 'export const f = () => 1;');
  const worker = await Worker.start(file);
  const told = new Promise((resolve) => {
    worker.invoke('f', null, { receipt: resolve });
  });
  await expect(told).resolves.toMatchObject({ name: 'f', worker: 1 });
  await worker.stop();
  fs.rmSync(folder, { recursive: true });
});
