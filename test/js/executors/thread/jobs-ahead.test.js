'use strict';
// A thread begins its next job while the owner's thread is blocked: each has one
// ahead of its turn.

const {
  awaitBlocked,
  begun,
  createPool,
  job,
  release,
  words,
} = require('./ahead-support.js');

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

test('built-ins that a job replaces keep none from beginning', async () => {
  const pool = createPool({ payload: 'clone' });
  await pool.run(() => {
    Atomics.compareExchange = () => 0;
    Array.prototype[Symbol.iterator] = () => {
      throw new Error('replaced');
    };
  });
  const array = words();
  const first = pool.run(job, { input: { at: 0, array } });
  await begun(array, 0);
  const next = pool.run(job, { input: { at: 1, array } });
  release(array);
  awaitBlocked(array, 1);
  expect(await Promise.all([first, next])).toEqual([0, 1]);
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
