'use strict';
// `maxQueued: 0`: a call runs now, or is refused.

const { createGate, createPool, outcomes, rejection, stopAll } =
  require('./support.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');

afterEach(stopAll);

test('as many run as there are workers, the next one is refused', async () => {
  const gate = createGate();
  const pool = createPool({
    workers: 2,
    maxQueued: 0,
    host: { wait: gate.wait },
  });
  const job = ({ host }) => host.wait();
  expect(pool.needsDrain).toBe(false);
  const jobs = [1, 2, 3].map(() => pool.run(job));
  expect(pool.needsDrain).toBe(true);
  expect(pool.state).toMatchObject({
    maxQueued: 0,
    queue: { active: 2, queued: 0, maxQueued: 0 },
  });
  expect((await rejection(jobs[2])).code).toBe(Code.QueueFull);
  await gate.entered(2);
  gate.open();
  expect(await outcomes(jobs)).toEqual([
    'resolved',
    'resolved',
    Code.QueueFull,
  ]);
});

test('one after the other, each finds its worker free', async () => {
  const pool = createPool({ maxQueued: 0 });
  for (let i = 0; i < 50; i += 1) {
    expect(await pool.run(({ input }) => input, { input: i })).toBe(i);
  }
  await rejection(
    pool.run(() => {
      throw new Error('x');
    }),
  );
  expect(await pool.run(() => 'after')).toBe('after');
});

test('a place that a cancelled job leaves is free when its worker is', async () => {
  const pool = createPool({ maxQueued: 0 });
  const controller = new AbortController();
  const run = pool.run(
    ({ emit }) => {
      emit('runs');
      for (;;);
    },
    { signal: controller.signal, onMessage: () => controller.abort() },
  );
  await rejection(run);
  await pool.drain();
  expect(await pool.run(() => 1)).toBe(1);
});

test('with backpressure one call may wait for a worker', async () => {
  const gate = createGate();
  const pool = createPool({
    maxQueued: 0,
    overflow: 'backpressure',
    host: { wait: gate.wait },
  });
  const job = ({ host }) => host.wait();
  const jobs = [1, 2, 3].map(() => pool.run(job));
  expect((await rejection(jobs[2])).code).toBe(Code.QueueFull);
  gate.open();
  expect(await outcomes(jobs.slice(0, 2))).toEqual(['resolved', 'resolved']);
});

test('map takes its values as workers get free', async () => {
  const pool = createPool({ workers: 2, maxQueued: 0 });
  const seen = [];
  for await (const value of pool.map([1, 2, 3, 4, 5], ({ input }) => input)) {
    seen.push(value);
  }
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});
