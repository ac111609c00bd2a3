'use strict';
// pool.recycle(): new workers in the place of those of now.

const { createGate, createPool, moduleFile, stopAll } = require('./support.js');

afterEach(stopAll);

const numberOf = ({ worker }) => worker.number;

test('an idle worker is replaced, with all that it holds', async () => {
  const pool = createPool();
  const first = await pool.run(({ worker }) => {
    globalThis.kept = 'yes';
    return worker.number;
  });
  await pool.recycle();
  const [second, kept] = await pool.run(({ worker }) => [
    worker.number,
    globalThis.kept ?? null,
  ]);
  expect(second).not.toBe(first);
  expect(kept).toBeNull();
});

test('a busy one ends its job first, and no other', async () => {
  const gate = createGate();
  const pool = createPool({ host: { wait: gate.wait } });
  const ends = async ({ host, worker }) => {
    await host.wait();
    return worker.number;
  };
  const running = pool.run(ends);
  await gate.entered(1);
  let hasGone = false;
  const recycled = pool.recycle().then(() => {
    hasGone = true;
  });
  const queued = pool.run(numberOf);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(hasGone).toBe(false);
  gate.open();
  const before = await running;
  expect(await queued).not.toBe(before);
  await recycled;
});

test('one that still starts is replaced too, because it has loaded files', async () => {
  const pool = createPool({ minWorkers: 1 });
  await pool.recycle();
  expect(await pool.run(numberOf)).toBeGreaterThan(1);
});

test('a job that waits for one that starts gets the next', async () => {
  const module = moduleFile(`
    export const init = () => new Promise((resolve) => setTimeout(resolve, 100));
  `);
  const pool = createPool({ module, init: {} });
  const job = pool.run(numberOf);
  await pool.recycle();
  expect(await job).toBeGreaterThan(1);
});

test('dispose is called', async () => {
  const module = moduleFile(`
    export const init = () => 'state';
    export const dispose = () => postMessage('disposed');
  `);
  const pool = createPool({ module, init: {} });
  const messages = [];
  pool.on('message', (value) => messages.push(value));
  await pool.run(() => 1);
  await pool.recycle();
  expect(messages).toEqual(['disposed']);
});

test('minWorkers are there again', async () => {
  const pool = createPool({ workers: 2, minWorkers: 2 });
  const started = [];
  let both;
  const all = new Promise((resolve) => {
    both = resolve;
  });
  pool.on('workerStarted', ({ number }) => {
    started.push(number);
    if (started.length === 4) both();
  });
  await Promise.all([1, 2].map(() => pool.run(numberOf)));
  while ((await pool.stats()).length < 2);
  await pool.recycle();
  await all;
  expect(new Set(started).size).toBe(4);
});

test('without a worker, and after the stop, there is nothing to do', async () => {
  const pool = createPool();
  await pool.recycle();
  await pool.run(() => 1);
  await pool.stop();
  await pool.recycle();
  const { recycle } = pool;
  await expect(recycle()).rejects.toThrow(
    'WorkerPool.recycle must be called as a method of its handle.',
  );
});

test('jobs go on while it is called again and again', async () => {
  const pool = createPool({ workers: 2, maxQueued: 1000 });
  await pool.run(numberOf);
  const jobs = Array.from({ length: 60 }, () => pool.run(numberOf));
  for (let i = 0; i < 5; i += 1) await pool.recycle();
  const numbers = await Promise.all(jobs);
  expect(numbers).toHaveLength(60);
  expect(await pool.run(numberOf)).toBeGreaterThan(1);
});
