'use strict';
// `minWorkers`: so many workers, or as many as there may be, are there again
// after some were lost, and after `resize`.

const { createPool, rejection, stopAll } = require('./support.js');

afterEach(stopAll);

const JOB_TIMEOUT = 'SLOPPY_E_WORK_JOB_TIMEOUT';
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function until(holds) {
  while (!holds()) await sleep(5);
}
const workersOf = (pool) => pool.metrics().gauges.workers;
const startsOf = (pool) => pool.metrics().counters.workersStarted;

test('after workers were lost', async () => {
  const pool = createPool({ workers: 2, minWorkers: 2 });
  await until(() => startsOf(pool) === 2);
  const endless = () => {
    for (;;);
  };
  const lost = [1, 2].map(() =>
    rejection(pool.run(endless, { runTimeoutMs: 20 })),
  );
  for (const error of await Promise.all(lost)) {
    expect(error.code).toBe(JOB_TIMEOUT);
  }
  await until(() => workersOf(pool) === 2);
  expect(await pool.run(() => 2)).toBe(2);
});

test('after one has ended itself', async () => {
  const pool = createPool({ workers: 2, minWorkers: 2 });
  await until(() => startsOf(pool) === 2);
  const error = await rejection(pool.run(() => process.exit(3)));
  expect(error.code).toBe('SLOPPY_E_WORKER_CRASHED');
  await until(() => workersOf(pool) === 2);
});

test('after resize: as many as there may be, then all again', async () => {
  const pool = createPool({ workers: 3, minWorkers: 3 });
  await until(() => startsOf(pool) === 3);
  await pool.run(() => 1);
  // The second call ends no more than the first.
  pool.resize(1);
  pool.resize(1);
  await until(() => workersOf(pool) === 1);
  await sleep(50);
  expect(workersOf(pool)).toBe(1);
  pool.resize(3);
  await until(() => workersOf(pool) === 3);
  // Those that leave are still there.
  pool.resize(1);
  pool.resize(3);
  await until(() => workersOf(pool) === 3);
  await sleep(50);
  await until(() => workersOf(pool) === 3);
  expect(await pool.run(() => 2)).toBe(2);
});
