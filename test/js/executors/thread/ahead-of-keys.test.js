'use strict';
// The next job of a key, which waits for the one before, begins in that one's
// thread while the owner is blocked.

const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');
const {
  awaitBlocked,
  begun,
  createPool,
  job,
  ready,
  release,
  words,
} = require('./ahead-support.js');

const run = (pool, at, array, key = 'a', more = undefined) =>
  pool.run(job, { input: { at, array }, key, ...more });

// The first job of the key runs, and waits. A thread that its owner takes for one
// that starts has no job of a key ahead.
async function withKey(options) {
  const pool = createPool({ payload: 'clone', ...options });
  const array = words();
  await ready(pool, 1);
  const first = run(pool, 0, array);
  await begun(array, 0);
  return { array, first, pool };
}

const gaugesOf = (pool) => {
  const { queued, running } = pool.metrics().gauges;
  return { queued, running };
};

// Long enough for a thread that would begin what it may not.
const rest = () => Atomics.wait(words(), 0, 0, 50);

test('it begins, and no other after it', async () => {
  const { array, first, pool } = await withKey();
  const next = [1, 2].map((at) => run(pool, at, array));
  expect(gaugesOf(pool)).toEqual({ queued: 2, running: 1 });
  release(array);
  awaitBlocked(array, 1);
  rest();
  expect(array[2]).toBe(0);
  expect(await Promise.all([first, ...next])).toEqual([0, 1, 2]);
  expect(gaugesOf(pool)).toEqual({ queued: 0, running: 0 });
  expect(pool.metrics().counters).toMatchObject({ completed: 4, failed: 0 });
});

test('it does not begin before the other ends, in no thread', async () => {
  const { array, first, pool } = await withKey({ workers: 3, minWorkers: 3 });
  await pool.run(() => 1);
  const next = run(pool, 1, array);
  rest();
  expect(array[1]).toBe(0);
  release(array);
  awaitBlocked(array, 1);
  expect(await Promise.all([first, next])).toEqual([0, 1]);
});

test('each thread goes on with its key', async () => {
  const pool = createPool({ payload: 'clone', workers: 2 });
  await ready(pool, 2);
  const [one, two] = [words(), words()];
  const jobs = [run(pool, 0, one, 'a'), run(pool, 0, two, 'b')];
  await Promise.all([begun(one, 0), begun(two, 0)]);
  jobs.push(run(pool, 1, one, 'a'), run(pool, 1, two, 'b'));
  release(one);
  awaitBlocked(one, 1);
  rest();
  expect(two[1]).toBe(0);
  release(two);
  awaitBlocked(two, 1);
  expect(await Promise.all(jobs)).toEqual([0, 0, 1, 1]);
});

test('any job that is queued begins before it', async () => {
  const { array, first, pool } = await withKey();
  const next = [run(pool, 1, array), run(pool, 2, array, 'b')];
  release(array);
  awaitBlocked(array, 2);
  rest();
  expect(array[1]).toBe(0);
  expect(await Promise.all([first, ...next])).toEqual([0, 1, 2]);
});

test('those of a key with two places begin in their order', async () => {
  const pool = createPool({ maxPerKey: 2, payload: 'clone', workers: 2 });
  await ready(pool, 2);
  const [one, two] = [words(), words()];
  const jobs = [run(pool, 0, one), run(pool, 0, two)];
  await Promise.all([begun(one, 0), begun(two, 0)]);
  const next = words();
  jobs.push(run(pool, 1, next), run(pool, 2, next));
  // The first of the two follows one of those that run, the second none.
  release(one);
  release(two);
  awaitBlocked(next, 1);
  rest();
  expect(next[2]).toBe(0);
  release(next);
  expect(await Promise.all(jobs)).toEqual([0, 0, 1, 2]);
});

test('one of a key with two places goes to the thread that is free', async () => {
  const pool = createPool({ maxPerKey: 2, payload: 'clone', workers: 2 });
  await ready(pool, 2);
  const [one, two] = [words(), words()];
  const jobs = [run(pool, 0, one), run(pool, 0, two)];
  await Promise.all([begun(one, 0), begun(two, 0)]);
  // It follows the first of them, until the second has ended.
  const next = pool.run(() => 'there', { key: 'a' });
  const last = run(pool, 1, one);
  release(two);
  expect(await next).toBe('there');
  release(one);
  expect(await Promise.all([...jobs, last])).toEqual([0, 0, 1]);
});

test('a cancelled one never begins', async () => {
  const { array, first, pool } = await withKey();
  const controller = new AbortController();
  const { signal } = controller;
  const cancelled = run(pool, 1, array, 'a', { signal });
  const last = run(pool, 2, array);
  controller.abort();
  await expect(cancelled).rejects.toMatchObject({ code: Code.JobCancelled });
  release(array);
  awaitBlocked(array, 2);
  expect(await Promise.all([first, last])).toEqual([0, 2]);
  expect(array[1]).toBe(0);
  expect(pool.metrics().counters).toMatchObject({ cancelled: 1, completed: 3 });
});

test('one that has begun is cancelled as one that runs', async () => {
  const { array, first, pool } = await withKey();
  const controller = new AbortController();
  const waits = ({ input, signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        Atomics.store(input, 2, 1);
        reject(signal.reason);
      });
      Atomics.store(input, 1, 1);
      Atomics.notify(input, 1);
    });
  const next = pool.run(waits, {
    cancelGraceMs: 60_000,
    input: array,
    key: 'a',
    signal: controller.signal,
  });
  release(array);
  awaitBlocked(array, 1);
  controller.abort();
  await expect(next).rejects.toMatchObject({ code: Code.JobCancelled });
  expect(await first).toBe(0);
  expect(await run(pool, 3, array)).toBe(3);
  expect(array[2]).toBe(1);
});

test('the cancellation of the other leaves it queued', async () => {
  const pool = createPool({ cancelGraceMs: 0, payload: 'clone' });
  const array = words();
  const controller = new AbortController();
  const { signal } = controller;
  const first = run(pool, 0, array, 'a', { signal });
  await begun(array, 0);
  const next = pool.run(({ worker }) => worker.number, { key: 'a' });
  controller.abort();
  await expect(first).rejects.toMatchObject({ code: Code.JobCancelled });
  expect(await next).toBe(2);
});

test('a thread that ends leaves it to the next one', async () => {
  const pool = createPool({ payload: 'clone' });
  const array = words();
  const end = ({ input }) => {
    Atomics.store(input, 0, 1);
    Atomics.wait(input, 7, 0);
    process.exit(1);
  };
  const first = pool.run(end, { input: array, key: 'a' });
  await begun(array, 0);
  const next = pool.run(({ worker }) => worker.number, { key: 'a' });
  release(array);
  await expect(first).rejects.toMatchObject({ code: Code.Crashed });
  expect(await next).toBe(2);
});

test('a paused pool begins none', async () => {
  const { array, first, pool } = await withKey();
  const next = run(pool, 1, array);
  pool.pause();
  release(array);
  await first;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(array[1]).toBe(0);
  pool.resume();
  expect(await next).toBe(1);
});

test('one that is late while its owner is blocked does not begin', async () => {
  const { array, first, pool } = await withKey();
  const late = run(pool, 1, array, 'a', { timeoutMs: 5 });
  const rejected = expect(late).rejects.toMatchObject({
    code: Code.JobTimeout,
  });
  Atomics.wait(words(), 0, 0, 20);
  release(array);
  rest();
  expect(array[1]).toBe(0);
  await rejected;
  await first;
});

test('a pool that stops without its queue begins none', async () => {
  const { array, first, pool } = await withKey();
  const next = run(pool, 1, array);
  const rejected = expect(next).rejects.toMatchObject({
    code: Code.ShutdownCancelled,
  });
  const stopped = pool.stop({ drain: false });
  release(array);
  await Promise.all([rejected, stopped, first.catch(() => {})]);
  expect(array[1]).toBe(0);
});

test('a thousand of some keys come once each, in the order of each', async () => {
  const pool = createPool({
    maxQueued: 1000,
    payload: 'clone',
    recycleAfterJobs: 90,
    workers: 3,
  });
  const log = new Int32Array(new SharedArrayBuffer(4 * 1001));
  const note = ({ input: { n, array } }) => {
    array[Atomics.add(array, 0, 1) + 1] = n;
    const until = performance.now() + (n % 3);
    while (performance.now() < until);
    return n;
  };
  const jobs = Array.from({ length: 1000 }, (_, n) =>
    pool.run(note, { input: { array: log, n }, key: `k${n % 5}` }),
  );
  for (let i = 0; i < 20; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    rest();
  }
  expect(await Promise.all(jobs)).toEqual(jobs.map((_, n) => n));
  const order = [...log.subarray(1)];
  for (let key = 0; key < 5; key++) {
    const ofKey = order.filter((n) => n % 5 === key);
    expect(ofKey).toEqual([...ofKey].sort((a, b) => a - b));
    expect(ofKey.length).toBe(200);
  }
});
