'use strict';

// Jobs without a signal and a deadline keep nothing that rejects their
// promise: what ends them otherwise reaches their callers all the same.

const { execFileSync } = require('node:child_process');
const { join } = require('node:path');

const { WorkerPool } = require('../../../lib/pool/worker-pool.js');

const LIBRARY = join(__dirname, '..', '..', '..');
const JOBS = 20;
const pools = [];

function openPool(options) {
  const pool = WorkerPool.create('plain', { workers: 1, ...options });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  for (const pool of pools.splice(0)) {
    await pool.stop({ drain: false, timeoutMs: 100 });
  }
});

/** The outcomes of all entries, in the order in which callers learn of them. */
function record(entries) {
  const order = [];
  const all = entries.map(([name, promise]) =>
    promise.then(
      () => order.push(`${name} resolved`),
      (error) => order.push(`${name} ${error.code}`),
    ),
  );
  return Promise.all(all).then(() => order);
}

const CANCELLED = 'SLOPPY_E_WORKER_SHUTDOWN_CANCELLED';

test('callers of queued jobs learn of a stop before those who wait for it', async () => {
  const pool = openPool({ maxQueued: JOBS });
  pool.pause();
  const { signal } = new AbortController();
  const jobs = Array.from({ length: JOBS }, (_, n) =>
    n % 2 === 0
      ? ['plain', pool.run(() => 1)]
      : ['watched', pool.run(() => 1, { signal })],
  );
  const drained = pool.drain();
  const stopped = pool.stop({ drain: false });
  const order = await record([...jobs, ['drain', drained], ['stop', stopped]]);
  expect(order.slice(-2).sort()).toEqual(['drain resolved', 'stop resolved']);
  expect(order.filter((line) => line === `plain ${CANCELLED}`)).toHaveLength(
    JOBS / 2,
  );
  expect(order.filter((line) => line === `watched ${CANCELLED}`)).toHaveLength(
    JOBS / 2,
  );
  expect(await stopped).toEqual({ cancelled: JOBS, forced: 0 });
});

test('waiters for a place learn of a stop before those who wait for it', async () => {
  const pool = openPool({
    maxQueued: 1,
    maxBackpressureWaiters: 2,
    overflow: 'backpressure',
  });
  pool.pause();
  const jobs = Array.from({ length: 4 }, () => ['job', pool.run(() => 1)]);
  const stopped = pool.stop({ drain: false });
  const order = await record([...jobs, ['stop', stopped]]);
  expect(order).toEqual([
    `job ${CANCELLED}`,
    `job ${CANCELLED}`,
    `job ${CANCELLED}`,
    `job ${CANCELLED}`,
    'stop resolved',
  ]);
});

test('a signal rejects in the same turn', async () => {
  const pool = openPool();
  pool.pause();
  const controller = new AbortController();
  const order = [];
  pool
    .run(() => 1, { signal: controller.signal })
    .catch(() => order.push('job'));
  controller.abort();
  await null;
  order.push('next turn');
  expect(order).toEqual(['job', 'next turn']);
});

test('what nobody catches is reported once, as what it is', () => {
  const script = `
    const { WorkerPool } = require(${JSON.stringify(LIBRARY)});
    process.on('unhandledRejection', (error) => console.log('lost', error.code));
    process.on('rejectionHandled', () => console.log('handled late'));
    const pool = WorkerPool.create('plain', { workers: 1 }).pause();
    pool.run(() => 1);
    pool.stop({ drain: false }).then(() => console.log('stopped'));
  `;
  const printed = execFileSync(process.execPath, ['-e', script], {
    encoding: 'utf8',
  });
  expect(printed.trim().split('\n').sort()).toEqual([
    `lost ${CANCELLED}`,
    'stopped',
  ]);
});
