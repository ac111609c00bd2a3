'use strict';
// The option `affinity`: a key's job runs in the worker that had the last one,
// as long as that is free.

const { WorkerPool } = require('../../../lib/index.js');
const { createGate } = require('../conformance/support.js');
const { Homes, MAX_KEYS } = require('../../../lib/admission/homes.js');

const WORKERS = 4;
const KEYS = ['a', 'b', 'c', 'd'];
const pools = [];

const enter = ({ host }) => host.wait();

function poolWith(options) {
  const pool = WorkerPool.create('affinity', {
    workers: WORKERS,
    minWorkers: WORKERS,
    maxQueued: 100_000,
    affinity: true,
    ...options,
  });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  const left = pools.splice(0);
  await Promise.all(
    left.map((pool) => pool.stop({ drain: false, timeoutMs: 0 })),
  );
});

/** @returns {Promise<number>} the number of the worker that ran a job */
async function workerOf(pool, key, { fn = () => {}, ...options } = {}) {
  let note;
  const ran = new Promise((resolve) => {
    note = ({ worker }) => resolve(worker);
  });
  await pool.run(fn, { key, receipt: note, ...options });
  return ran;
}

/** Gives each of the keys a worker of its own. @returns their numbers */
async function spread(pool, gate, keys) {
  const jobs = keys.map((key) => workerOf(pool, key, { fn: enter }));
  await gate.entered(keys.length);
  gate.open();
  const workers = await Promise.all(jobs);
  expect(new Set(workers).size).toBe(keys.length);
  return Object.fromEntries(keys.map((key, i) => [key, workers[i]]));
}

test('is a boolean', () => {
  for (const affinity of [1, 'true', null, {}]) {
    expect(() => WorkerPool.create('affinity', { affinity })).toThrow(
      new TypeError('WorkerPool.affinity must be a boolean.'),
    );
  }
  expect(() => WorkerPool.create('affinity', { afinity: true })).toThrow(
    /affinity/,
  );
});

describe.each(['isolate', 'thread'])('in runtime %s', (runtime) => {
  test('jobs of each key stay in its worker', async () => {
    const gate = createGate();
    const pool = poolWith({ runtime, host: { wait: gate.wait } });
    const homes = await spread(pool, gate, KEYS);
    // Four more keys, each at home where its first job was.
    const all = [...KEYS, 'e', 'f', 'g', 'h'];
    let moves = 0;
    for (let i = 0; i < 200; i++) {
      const key = all[(i * 5 + (i >> 4)) % all.length];
      const worker = await workerOf(pool, key);
      if (homes[key] !== undefined && worker !== homes[key]) moves += 1;
      homes[key] = worker;
    }
    // An isolate that has rested for a second collects garbage, and is not
    // free then. Without affinity, one worker had all the jobs.
    expect(moves).toBeLessThanOrEqual(runtime === 'thread' ? 0 : 20);
    expect(new Set(KEYS.map((key) => homes[key])).size).toBeGreaterThan(1);
  });

  test('and so do those that run at once', async () => {
    const gate = createGate();
    const pool = poolWith({ runtime, host: { wait: gate.wait } });
    const homes = await spread(pool, gate, KEYS);
    for (let i = 0; i < 25; i++) {
      const order = i % 2 ? KEYS : [...KEYS].reverse();
      const jobs = order.map((key) => workerOf(pool, key));
      const workers = await Promise.all(jobs);
      // One isolate may be enough for such jobs.
      const expected = order.map((key) => homes[key]);
      if (runtime === 'thread') expect(workers).toEqual(expected);
    }
  });

  test('a busy worker delays nothing', async () => {
    const gates = [createGate(), createGate()];
    const host = { wait: (i) => gates[i].wait() };
    const pool = poolWith({ runtime, host, maxPerKey: 3 });
    const wait = ({ host, input }) => host.wait(input);
    const run = (input) => workerOf(pool, 'a', { fn: wait, input });
    const first = run(0);
    await gates[0].entered(1);
    const second = run(1);
    await gates[1].entered(1);
    // Both workers that had the key are busy.
    const third = await workerOf(pool, 'a');
    gates[1].open();
    const workers = [third, await second];
    gates[0].open();
    workers.push(await first);
    expect(new Set(workers).size).toBe(3);
  });

  test('a worker that was lost is nobody’s any more', async () => {
    const pool = poolWith({ runtime });
    const before = await workerOf(pool, 'a');
    const lost = pool.run(() => process.exit(1), { key: 'a' });
    await expect(lost).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_CRASHED',
    });
    const endless = pool.run(
      () => {
        for (;;);
      },
      { key: 'a', timeoutMs: 20 },
    );
    await expect(endless).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_TIMEOUT',
    });
    const after = await workerOf(pool, 'a');
    expect(after).toEqual(expect.any(Number));
    // An isolate may collect garbage just then.
    const again = await workerOf(pool, 'a');
    if (runtime === 'thread')
      expect([again, after !== before]).toEqual([after, true]);
  });

  test('renewed isolates, workers that leave, and a pool that shrinks', async () => {
    const pool = poolWith({ runtime, recycleAfterJobs: 3, minWorkers: 0 });
    for (let i = 0; i < 16; i++) {
      await Promise.all(
        ['a', 'b', 'c', 'd', 'e'].map((key) => workerOf(pool, key)),
      );
      if (i % 4 === 3) pool.resize(1 + ((i >> 2) % 4));
    }
    expect(pool.state.queue).toMatchObject({ active: 0, queued: 0 });
  });

  test('cancelled, late and stopped jobs settle once', async () => {
    const gate = createGate();
    const host = { wait: gate.wait };
    const pool = poolWith({ runtime, maxPerKey: 2, host });
    await spread(pool, gate, KEYS);
    const ends = [];
    const jobs = [];
    for (let i = 0; i < 200; i++) {
      const controller = new AbortController();
      const { signal } = controller;
      const timeoutMs = i % 3 === 0 ? 1 + (i % 7) : undefined;
      const job = pool.run(({ input }) => input, {
        key: KEYS[i % 4],
        input: i,
        ...(i % 2 ? { signal } : { timeoutMs }),
      });
      if (i % 5 === 0) controller.abort();
      if (i % 40 === 39) await job.catch(() => {});
      jobs.push(
        job.then(
          (value) => ends.push(value),
          ({ code }) => ends.push(code),
        ),
      );
    }
    const stopped = pool.stop({ drain: false });
    await Promise.all(jobs);
    await stopped;
    expect(ends).toHaveLength(200);
    expect(pool.state.queue).toMatchObject({ active: 0, queued: 0 });
  });

  test('jobs of a key run in order', async () => {
    const gate = createGate();
    const pool = poolWith({ runtime, host: { wait: gate.wait } });
    await spread(pool, gate, KEYS);
    const order = Object.fromEntries(KEYS.map((key) => [key, []]));
    const jobs = [];
    for (let i = 0; i < 400; i++) {
      const key = KEYS[(i * 7) % 4];
      const job = pool.run(({ input, emit }) => emit(input), {
        key,
        input: i,
        priority: i % 8,
        onMessage: (value) => order[key].push(value),
      });
      jobs.push(job);
      // All workers are free now and then.
      if (i % 37 === 0) await Promise.all(jobs);
    }
    await Promise.all(jobs);
    for (const list of Object.values(order)) {
      expect(list).toHaveLength(100);
      expect(list).toEqual([...list].sort((x, y) => x - y));
    }
  });

  test('paused, resumed and without workers at first', async () => {
    const pool = poolWith({ runtime, minWorkers: 0 });
    await workerOf(pool, 'a');
    pool.pause();
    const jobs = Array.from({ length: 40 }, (_, i) =>
      pool.run(({ input }) => input, { key: `k${i % 6}`, input: i }),
    );
    pool.resume();
    expect(await Promise.all(jobs)).toEqual(jobs.map((_, i) => i));
  });
});

test.each(['context', 'isolate'])(
  'nothing is kept with %s',
  async (isolation) => {
    const pool = poolWith({ isolation, minWorkers: 0 });
    for (let i = 0; i < 20; i++) {
      expect(await pool.run(() => globalThis.seen, { key: 'a' })).toBe(
        undefined,
      );
    }
  },
);

test('jobs that await share a worker', async () => {
  const gate = createGate();
  const host = { wait: gate.wait };
  const options = { host, concurrentJobsPerWorker: 8, maxPerKey: 8 };
  const pool = poolWith(options);
  const jobs = [];
  for (let i = 0; i < 24; i++) {
    jobs.push(workerOf(pool, KEYS[i % 4], { fn: enter }));
    if (i % 3 === 0) jobs.push(workerOf(pool, KEYS[i % 4]));
  }
  await gate.entered(24);
  gate.open();
  expect(await Promise.all(jobs)).toHaveLength(32);
});

test('as many keys are remembered as the docs say', () => {
  const homes = new Homes();
  const first = homes.of('first');
  let [least, most] = [Infinity, 0];
  for (let i = 0; i < 100_000; i++) {
    const number = homes.of(`k${i}`);
    least = Math.min(least, number);
    most = Math.max(most, number);
    // One that is used is not forgotten.
    if (i % 5000 === 0) expect(homes.of('first')).toBe(first);
  }
  expect([first, least, most]).toEqual([1, 2, MAX_KEYS]);
  const numbers = new Set();
  for (let i = 0; i < MAX_KEYS; i++) numbers.add(homes.of(`k${i}`));
  expect(numbers.size).toBe(MAX_KEYS);
});

test('more keys than are remembered', async () => {
  const pool = poolWith();
  const jobs = [];
  for (let i = 0; i < 2 * MAX_KEYS; i++) {
    jobs.push(pool.run(({ input }) => input, { key: `k${i}`, input: i }));
  }
  await Promise.all(jobs);
  expect(pool.metrics().keys).toEqual({ active: 0, held: 0 });
});
