'use strict';
// Every number of every option at its ends: it is refused by name, or means
// what it says. None overflows, in C++ or in a timer of Node's.

const { WorkQueue, WorkerPool } = require('../../../lib/index.js');
const {
  createPool,
  moduleFile,
  outcomes,
  rejection,
  runtime,
  stopAll,
} = require('./support.js');

afterEach(stopAll);

const OUT_OF_RANGE = 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED';
const CANCELLED = 'SLOPPY_E_WORK_JOB_CANCELLED';
const TIMEOUT = 'SLOPPY_E_WORK_JOB_TIMEOUT';
const MIB = 2 ** 20;

const LARGE = [
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 33 + 1,
  1e12,
  1e12 + 1,
  1e13,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  2 ** 64,
  1e308,
];
const NONE = [0, -0, -1, 0.5, 1.5, NaN, -Infinity, -(2 ** 31), -1e308];

const OK = 'ok';
const isPositive = (n) => (Number.isInteger(n) && n > 0 ? OK : 'TypeError');
const orInfinity = (n) => (n === Infinity ? OK : isPositive(n));
const isTime = (n) => (Number.isFinite(n) && n >= 0 ? OK : 'TypeError');
const timeOrInfinity = (n) => (n === Infinity ? OK : isTime(n));
const within = (least, most) => (n) => {
  if (isPositive(n) !== OK) return 'TypeError';
  return n >= least && n <= most ? OK : OUT_OF_RANGE;
};

// Both runtimes have them, and each takes these at its ends too.
const OPTIONS = {
  workers: isPositive,
  maxQueued: (n) => (n === 0 ? OK : isPositive(n)),
  maxBackpressureWaiters: isPositive,
  maxQueuedBytes: isPositive,
  maxPerKey: isPositive,
  maxQueuedPerKey: orInfinity,
  agingMs: orInfinity,
  idleTimeoutMs: orInfinity,
  recycleAfterJobs: orInfinity,
  cancelGraceMs: isTime,
  runTimeoutMs: timeOrInfinity,
  memoryLimitMb: within(16, 4096),
  maxPayloadBytes: within(1, 1024 * MIB),
  maxResultBytes: within(1, 1024 * MIB),
  maxModuleBytes: within(1, 1024 * MIB),
  recycleAboveMb: orInfinity,
  concurrentJobsPerWorker: isPositive,
};
const OF_ISOLATES = {
  cpuLimitMs: orInfinity,
  maxMicrotasks: isPositive,
};
const ENDS = {
  memoryLimitMb: [15, 16, 4096, 4097],
  maxPayloadBytes: [1024 * MIB, 1024 * MIB + 1],
  maxResultBytes: [1024 * MIB, 1024 * MIB + 1],
  maxModuleBytes: [1024 * MIB, 1024 * MIB + 1],
};

function refusalOf(make) {
  try {
    make();
  } catch (error) {
    return error.code ?? error.name;
  }
  return OK;
}

const all = { ...OPTIONS, ...(runtime === 'isolate' && OF_ISOLATES) };
const numbersOf = (name) => [
  ...NONE,
  1,
  ...(ENDS[name] ?? []),
  ...LARGE,
  Infinity,
];

test.each(Object.keys(all))('%s is refused or taken', (name) => {
  for (const n of numbersOf(name)) {
    const make = () => createPool({ [name]: n });
    expect([n, refusalOf(make)]).toEqual([n, all[name](n)]);
  }
});

// One is as many as can be tried without as many threads.
test('minWorkers is refused or taken', () => {
  for (const n of [...NONE, ...LARGE, Infinity]) {
    const wanted = n === 0 ? OK : 'TypeError';
    const make = () => createPool({ minWorkers: n });
    expect([n, refusalOf(make)]).toEqual([n, wanted]);
  }
});

test.each(Object.keys(all))(
  'jobs run with the largest %s',
  async (name) => {
    const { length } = LARGE;
    // A thread of Node's costs a hundred times as much as an isolate.
    const some =
      runtime === 'isolate' ? LARGE.slice(1) : [LARGE[1], LARGE[length - 1]];
    const numbers = [...(ENDS[name] ?? []), ...some, Infinity].filter(
      (n) => all[name](n) === OK,
    );
    const jobs = numbers.map((n) => {
      const pool = createPool({ [name]: n });
      return pool.run(async ({ input }) => input + (await 1), { input: 1 });
    });
    expect(await Promise.all(jobs)).toEqual(numbers.map(() => 2));
  },
  60_000,
);

const CALL = {
  cancelGraceMs: isTime,
  timeoutMs: isTime,
  runTimeoutMs: timeOrInfinity,
  priority: (n) => (Number.isInteger(n) && n >= 0 && n <= 7 ? OK : 'TypeError'),
  weight: (n) => (Number.isInteger(n) && n > 0 && n <= 100 ? OK : 'TypeError'),
};

test.each(Object.keys(CALL))('%s of a call', async (name) => {
  const pool = createPool({ maxQueued: 100 });
  await pool.run(() => 1);
  for (const n of [...NONE, 1, 7, 8, 100, 101, ...LARGE, Infinity]) {
    const call = pool.run(() => 1, {
      [name]: n,
      ...(name === 'weight' && { key: 'k' }),
    });
    const [outcome] = await outcomes([call]);
    const wanted = CALL[name](n);
    // The time may be over before the job is done.
    const isShort = wanted === OK && /timeoutMs$/i.test(name) && n < 1000;
    if (isShort) expect(['resolved', TIMEOUT]).toContain(outcome);
    else expect([n, outcome]).toEqual([n, wanted === OK ? 'resolved' : wanted]);
    if (isShort && n === 0) expect(outcome).toBe(TIMEOUT);
  }
});

test('init.timeoutMs', async () => {
  const module = moduleFile('export const init = () => 1;');
  const make = (timeoutMs) => createPool({ init: { module, timeoutMs } });
  for (const n of [...NONE, ...LARGE, Infinity]) {
    expect([n, refusalOf(() => make(n))]).toEqual([n, isTime(n)]);
  }
  const some = runtime === 'isolate' ? LARGE : [2 ** 31, 1e308];
  const jobs = some.map((n) => make(n).run(({ state }) => state));
  expect(await Promise.all(jobs)).toEqual(some.map(() => 1));
}, 60_000);

test('the number of workers of a resize', async () => {
  const pool = createPool();
  for (const n of [...NONE, Infinity]) {
    expect([n, refusalOf(() => pool.resize(n))]).toEqual([n, 'TypeError']);
  }
  for (const n of [...LARGE, 1]) pool.resize(n);
  expect(await pool.run(() => 1)).toBe(1);
});

test('the time of a stop', async () => {
  for (const n of [...LARGE, 1, 0]) {
    const pool = createPool();
    const job = outcomes([pool.run(() => 1)]);
    await pool.stop({ timeoutMs: n });
    if (n > 1) expect([n, await job]).toEqual([n, ['resolved']]);
  }
  for (const n of NONE.filter((each) => isTime(each) !== OK)) {
    const error = await rejection(createPool().stop({ timeoutMs: n }));
    expect([n, error.name]).toEqual([n, 'TypeError']);
  }
}, 60_000);

test('how many of a map are under way', async () => {
  const pool = createPool({ maxQueued: 10 });
  for (const concurrency of [1, ...LARGE]) {
    const got = [];
    for await (const value of pool.map([1, 2], ({ input }) => input, {
      concurrency,
    })) {
      got.push(value);
    }
    expect([concurrency, got]).toEqual([concurrency, [1, 2]]);
  }
});

test('the numbers of a WorkQueue', async () => {
  for (const name of ['concurrency', 'maxQueued', 'maxBackpressureWaiters']) {
    for (const n of [...NONE, ...LARGE, Infinity]) {
      const make = () => WorkQueue.create('q', { [name]: n });
      expect([name, n, refusalOf(make)]).toEqual([name, n, isPositive(n)]);
    }
  }
  const queue = WorkQueue.create('q', { concurrency: 1e308, maxQueued: 1e308 });
  queue.process(async ({ data }) => data);
  for (const timeoutMs of LARGE) {
    expect(await queue.enqueue(1, { timeoutMs })).toBe(1);
  }
  await queue.stop({ timeoutMs: 1e308 });
});

// A job that is told and puts things right gets its time.
test.each([2 ** 31, 2e12, 1e13, 2 ** 53 - 1, 1e308])(
  'a grace period of %d ms',
  async (cancelGraceMs) => {
    const pool = createPool({ cancelGraceMs });
    const controller = new AbortController();
    const told = pool.run(
      ({ signal, emit }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () =>
            setTimeout(() => {
              globalThis.isTidy = true;
              resolve();
            }, 50),
          );
          emit(1);
        }),
      { signal: controller.signal, onMessage: () => controller.abort() },
    );
    expect((await rejection(told)).code).toBe(CANCELLED);
    expect(await pool.run(() => globalThis.isTidy)).toBe(true);
  },
);

test('none is read from a number in a text', () => {
  for (const name of Object.keys(all)) {
    const make = () => WorkerPool.create('p', { runtime, [name]: '5' });
    expect([name, refusalOf(make)]).toEqual([name, 'TypeError']);
  }
});
