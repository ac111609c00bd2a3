'use strict';

const { liveCounts } = require('../../../lib/addon/load.js');
const { WorkerPool } = require('../../../lib/pool/worker-pool.js');

const MB = 2 ** 20;
const busy = ({ input, shared }) => {
  const until = Date.now() + input;
  while (Date.now() < until);
  return shared.table.version;
};
const version = ({ shared }) => shared.table?.version;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Waits for what must become true, however long that takes. */
async function until(isTrue) {
  for (let i = 0; i < 2000 && !isTrue(); i++) await sleep(10);
  expect(isTrue()).toBe(true);
}
const codeOf = (promise) =>
  promise.then(
    () => 'fulfilled',
    ({ code }) => code,
  );

describe('share, isolates', () => {
  let pool;
  const before = { ...liveCounts() };
  const left = () => {
    const { sharedValues, pagesViews } = liveCounts();
    return [sharedValues - before.sharedValues, pagesViews - before.pagesViews];
  };
  afterEach(() => pool.stop({ drain: false, timeoutMs: 2000 }));

  test.each(['context', 'isolate'])(
    'with isolation %s each job that reads it decodes it',
    async (isolation) => {
      pool = WorkerPool.create('pool', { isolation, workers: 1 });
      pool.share('table', { version: 1 });
      await expect(pool.run(version)).resolves.toBe(1);
      await expect(pool.run(() => 'without')).resolves.toBe('without');
      await expect(pool.run(version)).resolves.toBe(1);
      expect(pool.metrics().shared).toMatchObject({ encodes: 1, decodes: 2 });
    },
  );

  test('release gives all memory back, also what idle workers have', async () => {
    pool = WorkerPool.create('pool', { workers: 2, minWorkers: 2 });
    const table = pool.share('table', {
      bytes: new Uint8Array(20 * MB),
      rows: Array.from({ length: 1e5 }, (_, id) => ({
        id,
        name: `name ${id}`,
      })),
    });
    await pool.broadcast(({ shared }) => shared.table.bytes.length);
    // The table, and what it is called.
    expect(left()).toEqual([2, 2]);
    const used = async () =>
      (await pool.stats()).map((w) => w.heapUsedBytes + w.externalBytes);
    const full = await used();
    expect(Math.min(...full)).toBeGreaterThan(25 * MB);
    table.release();
    expect(left()[0]).toBe(0);
    await until(() => left()[1] === 0);
    for (let i = 0; Math.max(...(await used())) > 10 * MB; i++) {
      expect(i).toBeLessThan(500);
      await sleep(10);
    }
  });

  test('an update gives back what no job needs any more', async () => {
    pool = WorkerPool.create('pool', { workers: 1 });
    const table = pool.share('table', {
      version: 0,
      bytes: new Uint8Array(MB),
    });
    for (let i = 1; i < 10; i++) {
      await expect(pool.run(version)).resolves.toBe(i - 1);
      table.update({ version: i, bytes: new Uint8Array(MB) });
      await until(() => left()[0] === 2);
    }
    pool.pause();
    const jobs = [pool.run(version)];
    table.update({ version: 10 });
    jobs.push(pool.run(version));
    table.update({ version: 11 });
    expect(left()[0]).toBe(6);
    pool.resume();
    await expect(Promise.all(jobs)).resolves.toEqual([9, 10]);
    await until(() => left()[0] === 2);
  });

  test('cancelled, late and lost jobs hold nothing', async () => {
    pool = WorkerPool.create('pool', {
      workers: 1,
      maxQueued: 2,
      overflow: 'backpressure',
      maxBackpressureWaiters: 10,
    });
    const table = pool.share('table', { version: 1 });
    const controller = new AbortController();
    const { signal } = controller;
    const endless = ({ shared }) => {
      for (;;) shared.table.version += 1;
    };
    const jobs = [
      pool.run(endless, { timeoutMs: 50 }),
      pool.run(version, { timeoutMs: 1 }),
      ...Array.from({ length: 6 }, () => pool.run(version, { signal })),
    ];
    table.update({ version: 2 });
    controller.abort();
    await Promise.allSettled(jobs);
    await until(() => left()[0] === 2);
    await expect(pool.run(version)).resolves.toBe(2);
  });

  test('a worker that has no room for it says so', async () => {
    pool = WorkerPool.create('pool', { workers: 1, memoryLimitMb: 32 });
    pool.share('table', new Uint8Array(20 * MB));
    const error = await pool
      .run(({ shared }) => {
        globalThis.kept = new Uint8Array(15 << 20);
        return shared.table.length;
      })
      .catch((caught) => caught);
    expect(error.cause).toMatchObject({
      code: 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED',
      message: expect.stringContaining('memoryLimitMb'),
    });
    await pool.run(() => {
      globalThis.kept = undefined;
    });
    await expect(pool.run(({ shared }) => shared.table.length)).resolves.toBe(
      20 * MB,
    );
  });

  test('one that grows too large when it is decoded ends its worker', async () => {
    pool = WorkerPool.create('pool', { workers: 1, memoryLimitMb: 32 });
    const row = { a: {}, b: {}, c: {}, d: {} };
    pool.share('table', Array(300_000).fill(row));
    await expect(
      codeOf(pool.run(({ shared }) => shared.table.length)),
    ).resolves.toBe('SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED');
    await expect(pool.run(() => 'goes on')).resolves.toBe('goes on');
  });

  test('nothing is left of a pool that has ended', async () => {
    pool = WorkerPool.create('pool', { workers: 2, minWorkers: 2 });
    pool.share('table', { version: 1, bytes: new Uint8Array(MB) });
    await pool.broadcast(version);
    expect(left()).toEqual([2, 2]);
    await pool.stop();
    await until(() => `${left()}` === '0,0');
  });

  test('50 MB for 4 workers: encoded once, decoded four times', async () => {
    pool = WorkerPool.create('pool', {
      workers: 4,
      minWorkers: 4,
      maxQueued: 200,
      memoryLimitMb: 512,
    });
    pool.share('table', {
      version: 1,
      bytes: new Uint8Array(40 * MB),
      names: Array.from({ length: 200_000 }, (_, i) => `a name of row ${i}`),
    });
    const rows = await pool.broadcast(version);
    expect(rows.map(({ value }) => value)).toEqual([1, 1, 1, 1]);
    const jobs = Array.from({ length: 100 }, () =>
      pool.run(busy, { input: 2 }),
    );
    await expect(Promise.all(jobs)).resolves.toEqual(Array(100).fill(1));
    const { encodes, decodes } = pool.metrics().shared;
    expect([encodes, decodes]).toEqual([1, 4]);
  });
});
