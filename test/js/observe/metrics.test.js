'use strict';

const { setTimeout } = require('node:timers/promises');
const { Worker, WorkerPool, WorkQueue } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const {
  createGate,
  createPool,
  moduleFile,
  occupy,
  rejection,
  stopAll,
} = require('../conformance/support.js');

afterEach(stopAll);

// Node's threads tell neither CPU time nor the size of a result.
const onThreads = process.env.SLOPPY_WORKERS_RUNTIME === 'thread';

const forever = () => {
  for (;;);
};

/** Opens the gate once a job waits in it: how many ms it did at least. */
async function openLater(gate) {
  await gate.entered(1);
  const from = performance.now();
  await setTimeout(10);
  const waited = performance.now() - from;
  gate.open();
  return waited;
}

describe('counters', () => {
  test('tell every outcome, and failures by code', async () => {
    const pool = createPool({ workers: 2 });
    await pool.run(() => 1);
    await rejection(
      pool.run(() => {
        throw new Error('no');
      }),
    );
    await rejection(pool.run(forever, { timeoutMs: 20 }));
    await rejection(pool.run('not a function'));
    await rejection(pool.run(() => 1, { input: Symbol('no') }));
    expect(pool.metrics().counters).toEqual({
      submitted: 3,
      completed: 1,
      failed: 1,
      cancelled: 0,
      timedOut: 1,
      refused: 2,
      byCode: {
        [Code.JobFailed]: 1,
        [Code.JobTimeout]: 1,
        TypeError: 1,
        [Code.UnsupportedPayload]: 1,
      },
      workersStarted: expect.any(Number),
      workersExited: 0,
    });
  });

  test('a full queue is counted by its code', async () => {
    const pool = createPool({ maxQueued: 1 });
    const calls = [1, 2, 3].map(() => pool.run(() => 1));
    await Promise.allSettled(calls);
    expect(pool.metrics().counters).toMatchObject({
      submitted: 2,
      completed: 2,
      refused: 1,
      byCode: { [Code.QueueFull]: 1 },
    });
  });

  test('a submission that waits is submitted, once', async () => {
    const pool = createPool({ maxQueued: 1, overflow: 'backpressure' });
    const calls = [1, 2, 3].map(() => pool.run(() => 1));
    expect(pool.metrics().counters.submitted).toBe(3);
    expect(pool.metrics().gauges.waiting).toBe(1);
    await Promise.all(calls);
    expect(pool.metrics().counters).toMatchObject({
      submitted: 3,
      completed: 3,
      refused: 0,
    });
  });

  test('waiters that a stop sends away count as refused', async () => {
    const pool = createPool({ maxQueued: 1, overflow: 'backpressure' });
    const calls = [1, 2, 3].map(() => pool.run(() => 1));
    const settled = Promise.allSettled(calls);
    await pool.stop();
    await settled;
    expect(pool.metrics().counters).toMatchObject({
      submitted: 2,
      completed: 2,
      refused: 1,
      byCode: { [Code.QueueStopped]: 1 },
    });
  });

  test('a cancelled waiter was submitted all the same', async () => {
    const pool = createPool({ maxQueued: 1, overflow: 'backpressure' });
    const controller = new AbortController();
    const calls = [1, 2].map(() => pool.run(() => 1));
    const waiting = pool.run(() => 1, { signal: controller.signal });
    controller.abort();
    await rejection(waiting);
    await Promise.all(calls);
    expect(pool.metrics().counters).toMatchObject({
      submitted: 3,
      completed: 2,
      cancelled: 1,
    });
  });
});

describe('gauges', () => {
  test('say what is queued and running now', async () => {
    const pool = createPool({ workers: 1 });
    expect(pool.metrics().gauges).toEqual({
      waiting: 0,
      queued: 0,
      running: 0,
      workers: 0,
      busy: 0,
    });
    const controller = new AbortController();
    let begun;
    const running = new Promise((resolve) => {
      begun = resolve;
    });
    const first = pool.run(
      async ({ emit, signal }) => {
        emit('begun');
        await new Promise((resolve) => {
          const look = () => (signal.cancelled ? resolve() : setTimeout(look));
          look();
        });
      },
      { onMessage: begun, signal: controller.signal },
    );
    const rest = [1, 2].map(() => pool.run(() => 1));
    await running;
    expect(pool.metrics().gauges).toEqual({
      waiting: 0,
      queued: 2,
      running: 1,
      workers: 1,
      busy: 1,
    });
    controller.abort();
    await rejection(first);
    await Promise.all(rest);
  });

  test('count keys with jobs, and jobs that are held back', async () => {
    const pool = createPool();
    await pool.run(() => 1);
    expect(pool.metrics()).not.toHaveProperty('keys');
    const controller = new AbortController();
    const { signal } = controller;
    const first = occupy(pool, { key: 'a', signal });
    await first.started;
    const jobs = ['a', 'a', 'b'].map((key) => pool.run(() => 1, { key }));
    const { keys, gauges } = pool.metrics();
    expect(keys).toEqual({ active: 2, held: 2 });
    expect(Object.isFrozen(keys)).toBe(true);
    expect(gauges.queued).toBe(3);
    controller.abort();
    await rejection(first.promise);
    await Promise.all(jobs);
    await pool.drain();
    expect(pool.metrics().keys).toEqual({ active: 0, held: 0 });
  });

  test('a pool that was stopped by force holds no job back', async () => {
    const pool = createPool();
    const first = occupy(pool, { key: 'a' });
    await first.started;
    const ends = [first.promise, pool.run(() => 1, { key: 'a' })].map(
      rejection,
    );
    expect(pool.metrics().keys).toEqual({ active: 1, held: 1 });
    await pool.stop({ timeoutMs: 1 });
    await Promise.all(ends);
    expect(pool.metrics().keys).toEqual({ active: 0, held: 0 });
  });
});

describe('histograms', () => {
  test('count from the first job with the option metrics', async () => {
    const gate = createGate();
    const now = () => performance.timeOrigin + performance.now();
    const before = now();
    const pool = createPool({ metrics: true, host: { wait: gate.wait } });
    const work = async ({ input, host }) => {
      await host.wait();
      return input.length;
    };
    const calls = [1, 2, 3].map(() => pool.run(work, { input: 'abcdefgh' }));
    const waited = await openLater(gate);
    await Promise.all(calls);
    const { since, histograms } = pool.metrics();
    expect(since).toBeGreaterThanOrEqual(before);
    expect(since).toBeLessThanOrEqual(now());
    for (const name of ['queueMs', 'runMs', 'totalMs', 'payloadBytes']) {
      expect([name, histograms[name].count]).toEqual([name, 3]);
    }
    expect(histograms.runMs.max).toBeGreaterThanOrEqual(waited);
    // The two behind the first waited for the gate.
    expect(histograms.queueMs.max).toBeGreaterThanOrEqual(waited);
    expect(histograms.totalMs.sum).toBeCloseTo(
      histograms.queueMs.sum + histograms.runMs.sum,
    );
    if (onThreads) {
      expect(histograms.cpuMs.count).toBe(0);
      expect(histograms.resultBytes.count).toBe(0);
      return;
    }
    expect(histograms.cpuMs.max).toBeGreaterThan(0);
    expect(histograms.cpuMs.max).toBeLessThanOrEqual(histograms.runMs.max + 1);
    expect(histograms.payloadBytes).toMatchObject({ min: 8, max: 8 });
    expect(histograms.resultBytes).toMatchObject({ count: 3, min: 8, max: 8 });
  });

  test('count from the first call without it', async () => {
    const pool = createPool();
    await pool.run(() => 1);
    expect(pool.metrics().histograms.runMs.count).toBe(0);
    await pool.run(() => 1);
    expect(pool.metrics().histograms.runMs.count).toBe(1);
  });

  test('the wait for a place is part of the time in the queue', async () => {
    const gate = createGate();
    const pool = createPool({
      maxQueued: 1,
      overflow: 'backpressure',
      maxBackpressureWaiters: 2,
      metrics: true,
      host: { wait: gate.wait },
    });
    const calls = [1, 2, 3, 4].map(() => pool.run(({ host }) => host.wait()));
    const waited = await openLater(gate);
    await Promise.all(calls);
    const { queueMs } = pool.metrics().histograms;
    // All but the first waited, two of them before they had a place.
    expect(queueMs.sum).toBeGreaterThanOrEqual(3 * waited);
  });

  test('failed and terminated jobs are measured too', async () => {
    const pool = createPool({ metrics: true });
    await rejection(
      pool.run(() => {
        throw new Error('no');
      }),
    );
    const controller = new AbortController();
    const { started, promise } = occupy(pool, { signal: controller.signal });
    await started;
    controller.abort();
    await rejection(promise);
    await pool.drain();
    expect(pool.metrics().histograms.runMs.count).toBe(2);
  });
});

test('a snapshot is frozen, all through', () => {
  const metrics = createPool().metrics();
  const frozen = [
    metrics,
    metrics.counters,
    metrics.counters.byCode,
    metrics.gauges,
    metrics.histograms,
  ];
  expect(frozen.map(Object.isFrozen)).toEqual(frozen.map(() => true));
  expect(metrics).toMatchObject({ kind: 'pool', name: expect.any(String) });
});

test('a stopped pool still has its metrics', async () => {
  const pool = createPool();
  await pool.run(() => 1);
  await pool.stop();
  const { counters, gauges } = pool.metrics();
  expect(counters).toMatchObject({ completed: 1, workersExited: 1 });
  expect(gauges).toMatchObject({ queued: 0, running: 0, workers: 0, busy: 0 });
});

test('the option metrics must be a boolean', () => {
  expect(() => WorkerPool.create('p', { metrics: 1 })).toThrow(
    new TypeError('WorkerPool.metrics must be a boolean.'),
  );
  expect(() => WorkQueue.create('q', { metrics: 'yes' })).toThrow(
    new TypeError('WorkQueue.metrics must be a boolean.'),
  );
});

test('a Worker has the metrics of its calls, not of its own start', async () => {
  const worker = await Worker.start(
    moduleFile('export const double = (n) => n * 2;'),
    { metrics: true },
  );
  expect(worker.metrics().counters.submitted).toBe(0);
  await worker.invoke('double', 2);
  await rejection(worker.invoke(''));
  const { kind, counters, gauges, histograms } = worker.metrics();
  expect(kind).toBe('worker');
  expect(counters).toMatchObject({ submitted: 1, completed: 1, refused: 1 });
  expect(gauges.workers).toBe(1);
  expect(histograms.runMs.count).toBe(1);
  await worker.stop();
});

test('a WorkQueue has them without what only threads have', async () => {
  const queue = WorkQueue.create('q', {
    metrics: true,
    retry: { maxAttempts: 2 },
  });
  await rejection(queue.enqueue(1));
  queue.process(({ data, attempt }) => {
    if (data === 'twice' && attempt === 1) throw new Error('again');
    if (data === 'never') throw new Error('no');
  });
  await queue.enqueue('twice');
  await rejection(queue.enqueue('never'));
  const { kind, counters, gauges, histograms } = queue.metrics();
  expect(kind).toBe('queue');
  expect(counters).toEqual({
    submitted: 2,
    completed: 1,
    failed: 1,
    cancelled: 0,
    timedOut: 0,
    refused: 1,
    byCode: { [Code.QueueStopped]: 1, [Code.RetryExhausted]: 1 },
  });
  expect(gauges).toEqual({ waiting: 0, queued: 0, running: 0 });
  expect(histograms.runMs.count).toBe(2);
  expect(histograms.payloadBytes.count).toBe(2);
});
