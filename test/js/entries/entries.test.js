'use strict';
// The entries that jobs call are kept while they are of use, and no longer: on
// this side, in the addon, and in the threads.

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const { Worker, WorkerPool, WorkQueue, prewarm } = require('../../../lib');
const {
  createMessageWorker,
} = require('../../../lib/message-worker/message-worker.js');
const { liveCounts } = require('../../../lib/addon/load.js');
const {
  liveOwnedEntries,
} = require('../../../lib/executors/owned/entry-table.js');

const folder = mkdtempSync(join(tmpdir(), 'sw-entries-'));
afterAll(() => rmSync(folder, { recursive: true }));
const MODULE = join(folder, 'module.mjs');
writeFileSync(
  MODULE,
  'export const one = () => 1;\nexport const two = () => 2;',
);

const live = () => liveCounts().entries + liveOwnedEntries();
const functions = (count) =>
  Array.from({ length: count }, (_, n) => new Function(`return ${n};`));

const owners = {
  'a pool that is called while it stops and after that': async (runtime) => {
    const pool = WorkerPool.create('p', { runtime });
    const job = pool.run(() => 1);
    const kept = live();
    const stopped = pool.stop();
    const refused = async (fn) => {
      await expect(pool.run(fn)).rejects.toThrow('WORK_QUEUE_STOPPED');
    };
    for (const fn of functions(5)) await refused(fn);
    expect(await job).toBe(1);
    await stopped;
    for (const fn of functions(9)) await refused(fn);
    return kept;
  },
  'a pool that is called only after it has stopped': async (runtime) => {
    const pool = WorkerPool.create('p', { runtime });
    await pool.stop();
    for (const fn of functions(5)) {
      await expect(pool.run(fn)).rejects.toThrow('WORK_QUEUE_STOPPED');
    }
    return Infinity;
  },
  'a pool that is called while it stops, and never before': async (runtime) => {
    const pool = WorkerPool.create('p', { runtime });
    const stopped = pool.stop();
    const [fn] = functions(1);
    await expect(pool.run(fn)).rejects.toThrow('WORK_QUEUE_STOPPED');
    await stopped;
    return Infinity;
  },
  'a pool with more functions in turn than it keeps, twice': async (
    runtime,
  ) => {
    const pool = WorkerPool.create('p', { runtime, maxQueued: 4000 });
    const all = functions(1500);
    const expected = all.map((_, n) => n);
    for (let round = 0; round < 2; round += 1) {
      const results = await Promise.all(all.map((fn) => pool.run(fn)));
      expect(results).toEqual(expected);
    }
    for (const fn of all.slice(0, 1100)) await pool.run(fn);
    const kept = live();
    await pool.stop();
    return kept;
  },
  'a pool with long functions, whose texts have a bound': async (runtime) => {
    const pool = WorkerPool.create('p', { runtime, maxQueued: 200 });
    const before = live();
    const text = `/*${'x'.repeat(1_000_000)}*/`;
    const run = (n) => pool.run(new Function(`${text} return ${n};`));
    for (let n = 0; n < 100; n += 1) expect(await run(n)).toBe(n);
    const kept = live();
    expect(kept - before).toBeLessThan(40);
    // Many at once are kept as long as their jobs need them.
    const all = Array.from({ length: 50 }, (_, n) => run(n));
    expect(await Promise.all(all)).toEqual(all.map((_, n) => n));
    expect(live() - before).toBeLessThan(40);
    await pool.stop();
    return kept;
  },
  'a pool with functions that have modules': async (runtime) => {
    const pool = WorkerPool.create('p', { runtime });
    const run = (n) =>
      pool.run(new Function('{ modules }', `return modules.m.one() + ${n};`), {
        modules: { m: MODULE },
      });
    expect(await run(1)).toBe(2);
    expect(await run(2)).toBe(3);
    const kept = live();
    await pool.stop();
    return kept;
  },
  'a pool whose exports are asked for, also those that it has not': async (
    runtime,
  ) => {
    const pool = WorkerPool.create('p', { runtime, module: MODULE });
    expect(await pool.invoke('one')).toBe(1);
    expect(await pool.invoke('two')).toBe(2);
    const rest = Array.from({ length: 1100 }, (_, n) =>
      pool.invoke(`none${n}`),
    );
    const ends = await Promise.allSettled(rest);
    expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await pool.invoke('one')).toBe(1);
    const kept = live();
    await pool.stop();
    return kept;
  },
  'a pool with jobs that were cancelled and stopped': async (runtime) => {
    const pool = WorkerPool.create('p', { runtime, cancelGraceMs: 0 });
    const jobs = functions(20).map((fn) => pool.run(fn));
    jobs.push(
      pool.run(() => {
        for (;;);
      }),
    );
    const kept = live();
    const ends = Promise.allSettled(jobs);
    await pool.stop({ drain: false, timeoutMs: 0 });
    await ends;
    return kept;
  },
  Workers: async (runtime) => {
    let kept = 0;
    for (let n = 0; n < 5; n += 1) {
      const worker = await Worker.start(MODULE, { runtime });
      expect(await worker.invoke('one')).toBe(1);
      kept = Math.max(kept, live());
      await worker.stop();
    }
    return kept;
  },
  'Workers that do not start': async (runtime) => {
    const broken = join(folder, 'broken.mjs');
    writeFileSync(broken, 'throw new Error("broken");');
    for (let n = 0; n < 3; n += 1) {
      const code = 'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED';
      const start = Worker.start(broken, { runtime });
      await expect(start).rejects.toMatchObject({ code });
    }
    return Infinity;
  },
  'message workers': async (runtime) => {
    for (let n = 0; n < 3; n += 1) {
      const worker = createMessageWorker({ module: MODULE, runtime });
      await new Promise((resolve) => {
        worker.once('online', resolve);
      });
      await worker.terminate();
    }
    return Infinity;
  },
  'a queue before a pool': async (runtime) => {
    const pool = WorkerPool.create('p', { runtime });
    const all = functions(10);
    const queue = WorkQueue.create('q', { concurrency: 4 });
    queue.process(({ data }) => pool.run(all[data]));
    const jobs = all.map((_, n) => queue.enqueue(n));
    await Promise.all(jobs);
    const kept = live();
    await queue.stop();
    await pool.stop();
    return kept;
  },
};

describe.each(['isolate', 'thread'])('runtime %s', (runtime) => {
  test.each(Object.keys(owners))('nothing is left of %s', async (name) => {
    const before = live();
    const kept = await owners[name](runtime);
    // They are counted at all, and there is a bound.
    expect(kept).toBeGreaterThan(before);
    if (kept !== Infinity) expect(kept - before).toBeLessThanOrEqual(1024);
    expect(live()).toBe(before);
  });
});

test('nothing is left of spares, taken or not', async () => {
  const before = live();
  await prewarm({ spares: 2 });
  const pool = WorkerPool.create('p');
  expect(await pool.run(() => 1)).toBe(1);
  expect(live()).toBeGreaterThan(before);
  await pool.stop();
  await prewarm({ spares: 0 });
  expect(live()).toBe(before);
});

test.each(['isolate', 'thread'])(
  'runtime %s: functions far beyond the memory limit fail nobody',
  async (runtime) => {
    const options = { runtime, workers: 1, memoryLimitMb: 24 };
    const pool = WorkerPool.create('p', options);
    const text = `/*${'x'.repeat(400_000)}*/`;
    const many = Array.from(
      { length: 100 },
      (_, n) => new Function(`${text} globalThis.last = ${n}; return ${n};`),
    );
    for (const [n, fn] of many.entries()) expect(await pool.run(fn)).toBe(n);
    // One that was forgotten, and one that was not.
    expect(await pool.run(many[0])).toBe(0);
    expect(await pool.run(many[99])).toBe(99);
    await pool.stop();
  },
  120_000,
);

test('isolates keep what jobs have left there, however many functions come', async () => {
  const pool = WorkerPool.create('p', { workers: 1, memoryLimitMb: 24 });
  const text = `/*${'x'.repeat(400_000)}*/`;
  const seen = new Set();
  for (let n = 0; n < 200; n += 1) {
    seen.add(await pool.run(new Function(`${text} return this.n ??= ${n};`)));
  }
  await pool.stop();
  expect([...seen]).toEqual([0]);
}, 120_000);
