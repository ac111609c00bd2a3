'use strict';

const { WorkerPool } = require('../../../../lib/index.js');
const { JobSlots } = require('../../../../lib/executors/isolate/job-slots.js');
const { JobState } = require('../../../../lib/admission/job-state.js');

function setUp() {
  const made = [];
  const dropped = [];
  const slots = new JobSlots(
    (slot) => made.push(slot),
    (slot) => dropped.push(slot),
  );
  const pool = { host: { encodings: 0 } };
  return { made, dropped, slots, pool, entry: { executor: pool, pending: 0 } };
}

test('slots are used again, the last one first', () => {
  const { made, slots } = setUp();
  expect([slots.hold({}), slots.hold({}), slots.hold({})]).toEqual([0, 1, 2]);
  slots.free(0);
  slots.free(2);
  expect([slots.hold({}), slots.hold({}), slots.hold({})]).toEqual([2, 0, 3]);
  expect(made).toEqual([0, 1, 2, 3]);
});

test('what a burst has left is given back, also around one that goes on', () => {
  const { made, dropped, slots } = setUp();
  const count = 100_000;
  for (let i = 0; i < count; i += 1) slots.hold({ number: i });
  const kept = 50_000;
  for (let slot = 0; slot < count; slot += 1) {
    if (slot !== kept) slots.free(slot);
  }
  expect(dropped.length).toBeGreaterThan(70);
  expect(new Set(dropped).size).toBe(dropped.length);
  for (const slot of dropped) expect((slot - 2032) % 1024).toBe(0);
  // Its block stays.
  const block = (slot) => (slot - 2032) >> 10;
  expect(dropped.map(block)).not.toContain(block(kept));
  expect(slots.at(kept)).toEqual({ number: kept });
  expect(slots.at(count - 1)).toBeNull();
  // Each slot again, once, and made anew where its block was dropped.
  made.length = 0;
  const again = new Set();
  for (let i = 0; i < count; i += 1) again.add(slots.hold({ again: i }));
  expect(again.size).toBe(count);
  expect(again.has(kept)).toBe(false);
  const blocks = new Set(made.map(block));
  for (const slot of dropped) expect(blocks.has(block(slot))).toBe(true);
  expect(slots.at(kept)).toEqual({ number: kept });
});

test.each([0, 1])('after a burst, %i under way, the lists are short', (n) => {
  const { slots } = setUp();
  const count = 100_000;
  for (let i = 0; i < count; i += 1) slots.hold({ number: i });
  // A trickle that was there throughout does this: its slot is the last one.
  const trickle = Array.from({ length: n }, () => slots.hold({}));
  for (let slot = 0; slot < count; slot += 1) slots.free(slot);
  for (let i = 0; i < 10; i += 1) {
    trickle.push(slots.hold({}));
    slots.free(trickle.shift());
  }
  for (const slot of trickle) slots.free(slot);
  // One that is new comes behind all lists.
  const taken = Array.from({ length: 40_000 }, () => slots.hold({}));
  expect(Math.max(...taken)).toBe(39_999);
});

test('a plain job is resolved by what it is held by', async () => {
  const { slots, entry } = setUp();
  const slot = slots.holdPlain(entry, 8, 5);
  const promise = slots.open(slot);
  expect(slots.entryOf(slot)).toBe(entry);
  expect(slots.bytesOf(slot)).toBe(8);
  slots.resolverOf(slot)('done');
  slots.free(slot);
  expect(await promise).toBe('done');
  expect(slots.resolverOf(slot)).toBeNull();
});

test('a plain job becomes an object when it is asked for, once', async () => {
  const { slots, entry } = setUp();
  const slot = slots.holdPlain(entry, 8, 5);
  const promise = slots.open(slot);
  const job = slots.at(slot);
  expect({ ...job }).toMatchObject({
    bytes: 8,
    entry,
    id: 5,
    slot,
    state: JobState.Admitted,
  });
  expect(job.hasLimits).toBe(false);
  expect(slots.at(slot)).toBe(job);
  expect(slots.resolverOf(slot)).toBeNull();
  job.fulfil('done');
  expect(await promise).toBe('done');
});

test('the jobs of a pool are objects, its own, and not over', () => {
  const { slots, pool, entry } = setUp();
  const other = { executor: { host: { encodings: 0 } }, pending: 0 };
  slots.open(slots.holdPlain(entry, 8, 1));
  slots.open(slots.holdPlain(other, 8, 2));
  slots.free(slots.hold({ entry, slot: 2 }));
  // Abandoned.
  slots.hold({ entry, slot: -1 });
  const held = { entry, slot: 3 };
  slots.hold(held);
  expect(slots.of(pool)).toMatchObject([{ id: 1, slot: 0 }, held]);
});

test('a stop ends plain jobs and others alike', async () => {
  const pool = WorkerPool.create('slots', { workers: 1, maxQueued: 100 });
  const note = (promise) => promise.catch((error) => error.code);
  pool.pause();
  const submit = (options) =>
    note(pool.run(({ input }) => input, { input: 1, ...options }));
  const jobs = [
    submit(),
    submit({ priority: 7 }),
    submit({ timeoutMs: 60_000 }),
    submit(),
    submit({ priority: 0 }),
  ];
  const { cancelled } = await pool.stop({ drain: false });
  expect(cancelled).toBe(5);
  expect(await Promise.all(jobs)).toEqual(
    new Array(5).fill('SLOPPY_E_WORKER_SHUTDOWN_CANCELLED'),
  );
});

test('what fails, and what completes, among plain jobs: each its own', async () => {
  const pool = WorkerPool.create('slots', { workers: 2, maxQueued: 1000 });
  const jobs = Array.from({ length: 300 }, (_, input) =>
    pool
      .run(
        ({ input: n }) => {
          if (n % 3 === 0) throw new RangeError(`no ${n}`);
          return n % 3 === 1 ? n : { n };
        },
        { input },
      )
      .catch((error) => error.cause.message),
  );
  expect(await Promise.all(jobs)).toEqual(
    jobs.map((_, n) => (n % 3 === 0 ? `no ${n}` : n % 3 === 1 ? n : { n })),
  );
  expect(pool.state.queue).toMatchObject({ queued: 0, active: 0 });
  expect(pool.state.queue.stats).toMatchObject({
    enqueued: 300,
    completed: 200,
    failed: 100,
  });
  await pool.stop();
});
