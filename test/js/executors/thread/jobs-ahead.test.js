'use strict';
// A thread begins its next job while the owner's thread is blocked: each has one
// ahead of its turn.

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

/** A pool whose thread has begun the first job, which waits. */
async function withFirst() {
  const pool = createPool({ payload: 'clone' });
  const array = words();
  const first = pool.run(job, { input: { at: 0, array } });
  await begun(array, 0);
  return { array, first, pool };
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

test('the first job begins in a thread that starts meanwhile', async () => {
  const pool = createPool({ payload: 'clone', workers: 2 });
  const [one, two] = [words(), words()];
  const jobs = [
    pool.run(job, { input: { at: 0, array: one } }),
    pool.run(job, { input: { at: 0, array: two } }),
  ];
  expect(pool.metrics().gauges).toMatchObject({ queued: 2, running: 0 });
  // Both threads start without this one.
  Atomics.wait(one, 0, 0, 60_000);
  Atomics.wait(two, 0, 0, 60_000);
  expect([one[0], two[0]]).toEqual([1, 1]);
  release(one);
  release(two);
  expect(await Promise.all(jobs)).toEqual([0, 0]);
  const { counters } = pool.metrics();
  expect(counters).toMatchObject({ completed: 2, workersStarted: 2 });
});

test('of those for a thread that starts the most urgent comes first', async () => {
  const pool = createPool();
  const order = [];
  const note = (name) => () => order.push(name);
  await Promise.all([
    pool.run(() => 1, { priority: 5 }).then(note('late')),
    pool.run(() => 1, { priority: 1 }).then(note('urgent')),
    pool.run(() => 1).then(note('usual')),
  ]);
  expect(order).toEqual(['urgent', 'usual', 'late']);
});

test('a thread that cannot start gives its job back, which fails once', async () => {
  const pool = createPool({ init: { module: '/is/not/there.mjs' } });
  const codes = await Promise.all(
    [1, 2].map(() => pool.run(() => 1).catch(({ code }) => code)),
  );
  expect(codes).toEqual([Code.StartupFailed, Code.StartupFailed]);
  expect(pool.metrics().counters).toMatchObject({ failed: 2, completed: 0 });
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

// Blocks this thread until the job has begun.
function awaitBlocked(array, at) {
  Atomics.wait(array, at, 0, 60_000);
  expect(Atomics.load(array, at)).toBe(1);
}

test('the most urgent one begins while the owner is blocked', async () => {
  const pool = createPool({ payload: 'clone' });
  const array = words();
  const run = (at, priority) =>
    pool.run(job, { input: { at, array }, priority });
  const first = run(0, 4);
  await begun(array, 0);
  const late = run(2, 5);
  const urgent = run(1, 1);
  release(array);
  awaitBlocked(array, 1);
  expect(await Promise.all([first, late, urgent])).toEqual([0, 2, 1]);
});

test('its call of a host function is answered', async () => {
  const host = { twice: (n) => n * 2 };
  const pool = createPool({ payload: 'clone', host });
  const array = words();
  const ask = async ({ input, host: owner }) => {
    Atomics.store(input, 1, 1);
    Atomics.notify(input, 1);
    return owner.twice(21);
  };
  const first = pool.run(job, { input: { at: 0, array } });
  await begun(array, 0);
  const next = pool.run(ask, { input: array });
  release(array);
  awaitBlocked(array, 1);
  expect(await Promise.all([first, next])).toEqual([0, 42]);
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

function controllerOf() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

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

test('a thread of many tiny jobs has one once a job takes longer', async () => {
  const pool = createPool({ payload: 'clone' });
  for (let i = 0; i < 300; i++) await pool.run(() => 1);
  const array = words();
  const run = (at) => pool.run(job, { input: { at, array } });
  const jobs = [run(0)];
  await begun(array, 0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  jobs.push(run(1));
  release(array);
  awaitBlocked(array, 1);
  expect(await Promise.all(jobs)).toEqual([0, 1]);
});

test('a job with a moved buffer waits for its owner, and comes', async () => {
  const { array, first, pool } = await withFirst();
  const moved = new Uint8Array([1, 2, 3]);
  const next = pool.run(({ input }) => input.length, {
    input: moved,
    transfer: [moved.buffer],
  });
  release(array);
  expect(await first).toBe(0);
  expect(await next).toBe(3);
});

test('what is shared later is seen by jobs that were submitted later', async () => {
  const pool = createPool({ payload: 'clone' });
  const array = words();
  const seen = ({ input, shared }) => {
    Atomics.store(input, 1, 1);
    Atomics.notify(input, 1);
    return shared.value;
  };
  const value = pool.share('value', 'old');
  const first = pool.run(job, { input: { at: 0, array } });
  await begun(array, 0);
  const before = pool.run(seen, { input: array });
  value.update('new');
  const after = pool.run(seen, { input: array });
  release(array);
  awaitBlocked(array, 1);
  expect(await Promise.all([first, before, after])).toEqual([0, 'old', 'new']);
});
