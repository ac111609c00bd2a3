'use strict';
// How a job ends that a thread has ahead of its turn, or its thread does.

const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');

const {
  awaitBlocked,
  begun,
  createPool,
  job,
  release,
  withFirst,
  words,
} = require('./ahead-support.js');

function controllerOf() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

test('a thread that cannot start gives its job back, which fails once', async () => {
  const pool = createPool({ init: { module: '/is/not/there.mjs' } });
  const codes = await Promise.all(
    [1, 2].map(() => pool.run(() => 1).catch(({ code }) => code)),
  );
  expect(codes).toEqual([Code.StartupFailed, Code.StartupFailed]);
  expect(pool.metrics().counters).toMatchObject({ failed: 2, completed: 0 });
});

test('a cancelled one never begins, and ends nothing', async () => {
  const { array, first, pool } = await withFirst();
  const controller = new AbortController();
  const { signal } = controller;
  const next = pool.run(job, { input: { at: 1, array }, signal });
  controller.abort();
  await expect(next).rejects.toMatchObject({ code: Code.JobCancelled });
  release(array);
  expect(await first).toBe(0);
  expect(await pool.run(({ worker }) => worker.number)).toBe(1);
  expect(array[1]).toBe(0);
});

test('a thread that ends leaves it to the next one', async () => {
  const pool = createPool({ payload: 'clone' });
  const array = words();
  const end = ({ input }) => {
    Atomics.store(input, 0, 1);
    Atomics.wait(input, 7, 0);
    process.exit(1);
  };
  const first = pool.run(end, { input: array });
  await begun(array, 0);
  const next = pool.run(({ worker }) => worker.number);
  release(array);
  await expect(first).rejects.toMatchObject({ code: Code.Crashed });
  expect(await next).toBe(2);
});

test('a paused pool begins none', async () => {
  const { array, first, pool } = await withFirst();
  const next = pool.run(job, { input: { at: 1, array } });
  pool.pause();
  release(array);
  await first;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(array[1]).toBe(0);
  pool.resume();
  expect(await next).toBe(1);
});

test('a job that is late while its owner is blocked does not begin', async () => {
  const { array, first, pool } = await withFirst();
  const late = pool.run(job, { input: { at: 1, array }, timeoutMs: 5 });
  const rejected = expect(late).rejects.toMatchObject({
    code: Code.JobTimeout,
  });
  Atomics.wait(words(), 0, 0, 20);
  release(array);
  // The thread is free, and would begin one that is not late.
  Atomics.wait(array, 1, 0, 50);
  await rejected;
  await first;
  expect(array[1]).toBe(0);
  expect(await pool.run(() => 'next')).toBe('next');
});

test('one that is late when its owner looks again counts as timed out', async () => {
  const pool = createPool({ maxQueued: 10 });
  let late;
  const onMessage = () => {
    late = pool.run(() => 'late', { timeoutMs: 1 });
    late.catch(() => {});
    // The end of the first comes meanwhile, and is read before any timer.
    Atomics.wait(words(), 0, 0, 30);
  };
  await pool.run(({ emit }) => emit(1), { onMessage });
  await expect(late).rejects.toMatchObject({ code: Code.JobTimeout });
  expect(pool.state.queue.stats).toMatchObject({ timedOut: 1, failed: 0 });
  expect(pool.metrics().counters).toMatchObject({
    timedOut: 1,
    failed: 0,
    byCode: { [Code.JobTimeout]: 1 },
  });
});

test('renewal is as exact as before', async () => {
  const pool = createPool({ recycleAfterJobs: 2, maxQueued: 100 });
  const numbers = await Promise.all(
    Array.from({ length: 10 }, () => pool.run(({ worker }) => worker.number)),
  );
  const counts = {};
  for (const number of numbers) counts[number] = (counts[number] ?? 0) + 1;
  expect(Object.values(counts)).toEqual([2, 2, 2, 2, 2]);
});

test('its receipt has its times, also when its thread ends', async () => {
  const pool = createPool({ payload: 'clone', metrics: true });
  const array = words();
  const receipts = [];
  const receipt = (told) => receipts.push(told);
  const end = ({ input }) => {
    Atomics.store(input, 1, 1);
    Atomics.notify(input, 1);
    process.exit(1);
  };
  const first = pool.run(job, { input: { at: 0, array }, receipt });
  await begun(array, 0);
  const next = pool.run(end, { input: array, receipt });
  release(array);
  awaitBlocked(array, 1);
  await expect(next).rejects.toMatchObject({ code: Code.Crashed });
  expect(await first).toBe(0);
  expect(await pool.run(({ worker }) => worker.number)).toBe(2);
  expect(receipts).toHaveLength(2);
  for (const { queueMs, runMs } of receipts) {
    expect(queueMs).toBeGreaterThanOrEqual(0);
    expect(runMs).toBeGreaterThanOrEqual(0);
  }
  expect(pool.metrics().gauges).toMatchObject({ queued: 0, running: 0 });
});

test('cancelling the one before it does not end it', async () => {
  const pool = createPool({ payload: 'clone' });
  const array = words();
  const { signal, abort } = controllerOf();
  const first = pool.run(job, { input: { at: 0, array }, signal });
  const rejected = expect(first).rejects.toMatchObject({
    code: Code.JobCancelled,
  });
  await begun(array, 0);
  const next = pool.run(job, { input: { at: 1, array } });
  release(array);
  awaitBlocked(array, 1);
  // The end of the first has not been read.
  abort();
  await rejected;
  expect(await next).toBe(1);
  expect(await pool.run(({ worker }) => worker.number)).toBe(1);
});

test('one that has begun ahead can be cancelled', async () => {
  const pool = createPool({ payload: 'clone' });
  const array = words();
  const { signal, abort } = controllerOf();
  const forever = ({ input }) => {
    Atomics.store(input, 1, 1);
    Atomics.notify(input, 1);
    for (;;);
  };
  const first = pool.run(job, { input: { at: 0, array } });
  await begun(array, 0);
  const next = pool.run(forever, { input: array, signal });
  release(array);
  awaitBlocked(array, 1);
  abort();
  await expect(next).rejects.toMatchObject({ code: Code.JobCancelled });
  expect(await first).toBe(0);
  expect(await pool.run(({ worker }) => worker.number)).toBe(2);
});

test('the limit of its run ends it', async () => {
  const pool = createPool({ payload: 'clone' });
  const array = words();
  const forever = ({ input }) => {
    Atomics.store(input, 1, 1);
    Atomics.notify(input, 1);
    for (;;);
  };
  const first = pool.run(job, { input: { at: 0, array } });
  await begun(array, 0);
  const next = pool.run(forever, { input: array, runTimeoutMs: 5 });
  release(array);
  awaitBlocked(array, 1);
  await expect(next).rejects.toMatchObject({ code: Code.JobTimeout });
  expect(await first).toBe(0);
});
