'use strict';
// The start, the end and the number of a pool's threads, and what becomes of
// jobs meanwhile.

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');

const { WorkerPool } = require('../../../../lib/index.js');
const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');

const folder = mkdtempSync(join(tmpdir(), 'sw-starts-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
function fileOf(text, name = 'mjs') {
  files += 1;
  const file = join(folder, `${files}.${name}`);
  writeFileSync(file, text);
  return file;
}

const pools = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) {
    await pool.stop({ drain: false, timeoutMs: 0 });
  }
});
function createPool(options) {
  const pool = WorkerPool.create('starts', { runtime: 'thread', ...options });
  pools.push(pool);
  return pool;
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const codeOf = (promise) =>
  promise.then(
    (value) => value,
    (error) => error.code,
  );
async function until(holds) {
  while (!holds()) await sleep(5);
}
const workersOf = (pool) => pool.metrics().gauges.workers;
const startsOf = (pool) => pool.metrics().counters.workersStarted;
const endless = () => {
  for (;;);
};

describe('a job that ends before its thread has started', () => {
  const slow = 'await new Promise((resolve) => setTimeout(resolve, 400));';
  const INIT = fileOf(`export const init = async () => { ${slow} return 1; };`);
  const TOP = fileOf(`${slow} export const answer = () => 1;`);

  test.each([
    ['init', { init: { module: INIT } }],
    ['the top level of the module', { module: TOP }],
    ['both', { init: { module: INIT }, module: TOP }],
  ])('leaves the start to the next: %s', async (_name, options) => {
    const pool = createPool(options);
    const late = await codeOf(pool.run(() => 1, { timeoutMs: 5 }));
    expect(late).toBe(Code.JobTimeout);
    const controller = new AbortController();
    const { signal } = controller;
    const cancelled = codeOf(pool.run(() => 1, { signal }));
    await sleep(5);
    controller.abort();
    expect(await cancelled).toBe(Code.JobCancelled);
    expect(await pool.run(() => 2)).toBe(2);
    const { counters } = pool.metrics();
    expect([counters.workersStarted, counters.workersExited]).toEqual([1, 0]);
  });

  test('and no job comes: the thread is there for later ones', async () => {
    const pool = createPool({ module: TOP });
    await codeOf(pool.run(() => 1, { timeoutMs: 1 }));
    await until(() => startsOf(pool) === 1);
    expect(await pool.invoke('answer')).toBe(1);
    expect(startsOf(pool)).toBe(1);
  });

  test('and the start fails: the next job has another attempt', async () => {
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const module = fileOf(`let attempts = 0;
      export const init = async ({ flag }) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        if (Atomics.add(flag, 0, 1) === 0) throw new RangeError('the first');
        return 'prepared';
      };`);
    const pool = createPool({
      init: { module, data: { flag } },
      payload: 'clone',
    });
    await codeOf(pool.run(() => 1, { timeoutMs: 1 }));
    await until(() => Atomics.load(flag, 0) === 1);
    let answer;
    while (answer !== 'prepared') {
      answer = await codeOf(pool.run(({ state }) => state));
      expect(['prepared', Code.StartupFailed]).toContain(answer);
    }
    expect(Atomics.load(flag, 0)).toBe(2);
  });
});

test('a start that never ends is ended, and fails who waits', async () => {
  const module = fileOf('export const init = () => { for (;;); };');
  const pool = createPool({ init: { module, timeoutMs: 50 } });
  await codeOf(pool.run(() => 1, { timeoutMs: 1 }));
  expect(await codeOf(pool.run(() => 2))).toBe(Code.StartupFailed);
});

test('a file of execArgv that throws fails who waits, and no thread follows', async () => {
  const file = fileOf("throw new RangeError('before');", 'cjs');
  const pool = createPool({ execArgv: ['-r', file], minWorkers: 1 });
  const error = await pool.run(() => 1).catch((e) => e);
  expect(error.code).toBe(Code.Crashed);
  expect(error.cause.message).toBe('before');
  await sleep(100);
  expect(workersOf(pool)).toBe(0);
});

test('a dispose that never ends does not keep the place of its thread', async () => {
  const module = fileOf(
    'export const init = () => 1; export const dispose = () => { for (;;); };',
  );
  const pool = createPool({ init: { module }, recycleAfterJobs: 1 });
  expect(await pool.run(() => 1)).toBe(1);
  expect(await pool.run(() => 2)).toBe(2);
});

test('as many threads end as have started', async () => {
  const pool = createPool();
  const events = [];
  pool.on('workerStarted', () => events.push('started'));
  pool.on('workerExit', () => events.push('exited'));
  await codeOf(pool.run(() => 1, { timeoutMs: 0 }));
  await codeOf(pool.run(() => 1, { timeoutMs: 1 }));
  await pool.stop({ drain: false, timeoutMs: 0 });
  const { workersStarted, workersExited } = pool.metrics().counters;
  expect(workersExited).toBe(workersStarted);
  expect(events.filter((name) => name === 'exited')).toHaveLength(
    events.filter((name) => name === 'started').length,
  );
});

describe('what leaves the queue is let go', () => {
  const MB = 2 ** 20;
  const gc = () => {
    v8.setFlagsFromString('--expose-gc');
    vm.runInNewContext('gc')();
    // Other files of this process look at the globals of new contexts.
    v8.setFlagsFromString('--no-expose-gc');
  };
  async function usedMb() {
    for (let i = 0; i < 3; i += 1) {
      await sleep(10);
      gc();
    }
    const { external, heapUsed } = process.memoryUsage();
    return (external + heapUsed) / MB;
  }

  const WAYS = {
    cancelled: async (pool, input) => {
      const controller = new AbortController();
      const { signal } = controller;
      const job = codeOf(pool.run(() => 1, { input, signal }));
      await new Promise(setImmediate);
      controller.abort();
      expect(await job).toBe(Code.JobCancelled);
    },
    late: async (pool, input) => {
      const job = codeOf(pool.run(() => 1, { input, timeoutMs: 1 }));
      expect(await job).toBe(Code.JobTimeout);
    },
    'cancelled while it waits for a place': async (pool, input) => {
      const first = new AbortController();
      const second = new AbortController();
      const jobs = [first, second].map(({ signal }) =>
        codeOf(pool.run(() => 1, { input, signal })),
      );
      await new Promise(setImmediate);
      second.abort();
      first.abort();
      expect(await Promise.all(jobs)).toEqual([
        Code.JobCancelled,
        Code.JobCancelled,
      ]);
    },
  };
  const VALUES = {
    bytes: [{}, () => new Uint8Array(MB)],
    texts: [{}, (i) => `${i}`.padEnd(MB, 'x')],
    clones: [{ payload: 'clone' }, () => new Map([[1, new Uint8Array(MB)]])],
  };

  describe.each(Object.entries(WAYS))('%s', (_way, leave) => {
    test.each(Object.entries(VALUES))('%s', async (_kind, [options, make]) => {
      const pool = createPool({
        maxQueued: 1,
        overflow: 'backpressure',
        ...options,
      });
      await pool.run(() => 1);
      const busy = codeOf(pool.run(endless));
      await sleep(20);
      const before = await usedMb();
      for (let i = 0; i < 60; i += 1) await leave(pool, make(i));
      expect((await usedMb()) - before).toBeLessThan(25);
      await pool.stop({ drain: false, timeoutMs: 0 });
      await busy;
    });
  });
});
