'use strict';
// A thread begins its next job while the owner's thread is blocked: one job
// waits there for each thread.

const { WorkerPool } = require('../../../../lib/index.js');
const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');

const pools = [];

function createPool(options) {
  const pool = WorkerPool.create('ahead', { runtime: 'thread', ...options });
  pools.push(pool);
  return pool;
}

afterEach(() =>
  Promise.all(
    pools.splice(0).map((pool) => pool.stop({ drain: false, timeoutMs: 0 })),
  ),
);

// Begins when the test lets it, and tells of it without the owner's thread.
const words = () => new Int32Array(new SharedArrayBuffer(16));
const job = ({ input: { at, array } }) => {
  Atomics.store(array, at, 1);
  Atomics.notify(array, at);
  // Until the owner has blocked, or let it go.
  Atomics.wait(array, 3, 0);
  return at;
};

async function begun(array, at) {
  while (Atomics.load(array, at) === 0) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function release(array) {
  Atomics.store(array, 3, 1);
  Atomics.notify(array, 3);
}

test('the next job begins while the owner is blocked', async () => {
  const pool = createPool({ payload: 'clone' });
  const array = words();
  const jobs = [0, 1, 2].map((at) => pool.run(job, { input: { at, array } }));
  await begun(array, 0);
  release(array);
  // Nobody but the thread itself can begin it.
  Atomics.wait(array, 1, 0, 60_000);
  expect(Atomics.load(array, 1)).toBe(1);
  expect(await Promise.all(jobs)).toEqual([0, 1, 2]);
});

test('one for each of the threads', async () => {
  const pool = createPool({ payload: 'clone', workers: 2 });
  const [one, two] = [words(), words()];
  // Both threads are there before the jobs come.
  const gate = words();
  const meet = ({ input }) => {
    Atomics.add(input, 0, 1);
    while (Atomics.load(input, 0) < 2);
  };
  await Promise.all([1, 2].map(() => pool.run(meet, { input: gate })));
  const jobs = [
    pool.run(job, { input: { at: 0, array: one } }),
    pool.run(job, { input: { at: 0, array: two } }),
    pool.run(job, { input: { at: 1, array: one } }),
    pool.run(job, { input: { at: 1, array: two } }),
  ];
  await Promise.all([begun(one, 0), begun(two, 0)]);
  release(one);
  release(two);
  Atomics.wait(one, 1, 0, 60_000);
  Atomics.wait(two, 1, 0, 60_000);
  expect([one[1], two[1]]).toEqual([1, 1]);
  await Promise.all(jobs);
});

test('a more urgent job comes first all the same', async () => {
  const pool = createPool({ payload: 'clone' });
  const array = words();
  const order = [];
  const note = (name) => () => order.push(name);
  const first = pool.run(job, { input: { at: 0, array } });
  await begun(array, 0);
  const jobs = [
    pool.run(() => 1, { priority: 5 }).then(note('late')),
    pool.run(() => 1, { priority: 1 }).then(note('urgent')),
    pool.run(() => 1).then(note('usual')),
  ];
  expect(pool.metrics().gauges).toMatchObject({ queued: 3, running: 1 });
  release(array);
  await Promise.all([first, ...jobs]);
  expect(order).toEqual(['urgent', 'usual', 'late']);
});

test('it goes to another thread that is free before', async () => {
  const pool = createPool({ payload: 'clone', workers: 2 });
  const [long, short] = [words(), words()];
  const jobs = [
    pool.run(job, { input: { at: 0, array: long } }),
    pool.run(job, { input: { at: 0, array: short } }),
  ];
  await Promise.all([begun(long, 0), begun(short, 0)]);
  const next = [1, 2, 3].map((input) =>
    pool.run(({ input: n }) => n, { input }),
  );
  release(short);
  expect(await Promise.all(next)).toEqual([1, 2, 3]);
  release(long);
  await Promise.all(jobs);
});

test('a cancelled one never begins, and ends nothing', async () => {
  const pool = createPool({ payload: 'clone' });
  const array = words();
  const first = pool.run(job, { input: { at: 0, array } });
  await begun(array, 0);
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
    Atomics.wait(input, 3, 0);
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
  const pool = createPool({ payload: 'clone' });
  const array = words();
  const first = pool.run(job, { input: { at: 0, array } });
  await begun(array, 0);
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
  const pool = createPool({ payload: 'clone' });
  const array = words();
  const first = pool.run(job, { input: { at: 0, array } });
  await begun(array, 0);
  const late = pool.run(job, { input: { at: 1, array }, timeoutMs: 5 });
  const rejected = expect(late).rejects.toMatchObject({
    code: Code.JobTimeout,
  });
  Atomics.wait(words(), 0, 0, 20);
  release(array);
  await rejected;
  await first;
  expect(array[1]).toBe(0);
  expect(await pool.run(() => 'next')).toBe('next');
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

test('ten thousand jobs come once each, in their order', async () => {
  const pool = createPool({ maxQueued: 10_000, recycleAfterJobs: 1000 });
  const jobs = Array.from({ length: 10_000 }, (_, input) =>
    pool.run(({ input: n }) => n, { input }),
  );
  expect(await Promise.all(jobs)).toEqual(jobs.map((_, i) => i));
  const { counters } = pool.metrics();
  expect(counters.completed).toBe(10_000);
});
