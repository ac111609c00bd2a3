'use strict';
// Atomics.waitAsync in jobs: another thread may notify what is waited for, so a
// job that awaits it ends by its limits alone.

const {
  createPool,
  moduleFile,
  outcomes,
  runtime,
  stopAll,
} = require('./support.js');

afterEach(stopAll);

// Processes share no memory.
const testShared = runtime === 'process' ? test.skip : test;
const words = () => new Int32Array(new SharedArrayBuffer(8));
const wait = ({ input }) => Atomics.waitAsync(input, 0, 0).value;

async function notifyOnce(array) {
  while (Atomics.notify(array, 0) === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

testShared('waits for the owner', async () => {
  const pool = createPool({ payload: 'clone' });
  const input = words();
  const job = pool.run(wait, { input });
  await notifyOnce(input);
  expect(await job).toBe('ok');
});

testShared('waits for another worker', async () => {
  const pool = createPool({ payload: 'clone', workers: 2 });
  const input = words();
  const job = pool.run(wait, { input });
  const notify = async (context) => {
    while (Atomics.notify(context.input, 0) === 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  await pool.run(notify, { input });
  expect(await job).toBe('ok');
});

test('waits for its own time', async () => {
  const pool = createPool();
  const job = pool.run(() => {
    const array = new Int32Array(new SharedArrayBuffer(4));
    const waits = [1, 30].map((ms) => Atomics.waitAsync(array, 0, 0, ms));
    return Promise.all(waits.map(({ value }) => value));
  });
  expect(await job).toEqual(['timed-out', 'timed-out']);
});

test.each([2 ** 31, 1e18, 1e308, Infinity, NaN])(
  'waits with the time %d',
  async (input) => {
    const pool = createPool({ payload: 'clone' });
    const job = pool.run(
      ({ input: ms }) => {
        const array = new Int32Array(new SharedArrayBuffer(4));
        const { value } = Atomics.waitAsync(array, 0, 0, ms);
        setTimeout(() => Atomics.notify(array, 0), 20);
        return value;
      },
      { input: [input] },
    );
    expect(await job).toBe('ok');
  },
);

test('with what the job itself notifies', async () => {
  const pool = createPool();
  const job = pool.run(async () => {
    const array = new Int32Array(new SharedArrayBuffer(4));
    const { value } = Atomics.waitAsync(array, 0, 0);
    Atomics.notify(array, 0);
    return [await value, Atomics.waitAsync(array, 0, 1).value];
  });
  expect(await job).toEqual(['ok', 'not-equal']);
});

test('ends by the limits of the job', async () => {
  const pool = createPool({ cancelGraceMs: 20 });
  const never = () =>
    Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0).value;
  const controller = new AbortController();
  const jobs = [
    pool.run(never, { timeoutMs: 50 }),
    pool.run(never, { runTimeoutMs: 50 }),
    pool.run(never, { signal: controller.signal }),
  ];
  setTimeout(() => controller.abort(), 200);
  expect(await outcomes(jobs)).toEqual([
    'SLOPPY_E_WORK_JOB_TIMEOUT',
    'SLOPPY_E_WORK_JOB_TIMEOUT',
    'SLOPPY_E_WORK_JOB_CANCELLED',
  ]);
  expect(await pool.run(() => 1)).toBe(1);
  const last = outcomes([pool.run(never)]);
  await pool.stop({ timeoutMs: 50 });
  expect(await last).toEqual(['SLOPPY_E_WORKER_SHUTDOWN_CANCELLED']);
});

testShared('beside other jobs of the worker', async () => {
  const pool = createPool({ payload: 'clone', concurrentJobsPerWorker: 4 });
  const input = words();
  const jobs = [1, 2, 3].map(() =>
    pool.run(({ input: array }) => Atomics.waitAsync(array, 0, 0, 500).value, {
      input,
    }),
  );
  expect(await Promise.all(jobs)).toEqual(Array(3).fill('timed-out'));
});

test('in init', async () => {
  const pool = createPool({
    init: {
      module: moduleFile(`export async function init() {
        const array = new Int32Array(new SharedArrayBuffer(4));
        return await Atomics.waitAsync(array, 0, 0, 20).value;
      }`),
    },
  });
  expect(await pool.run(({ state }) => state)).toBe('timed-out');
});

test('looks like the original', async () => {
  const pool = createPool();
  const look = () => {
    const { value: _, ...rest } = Object.getOwnPropertyDescriptor(
      Atomics,
      'waitAsync',
    );
    const { waitAsync } = Atomics;
    let thrown;
    try {
      waitAsync({}, 0, 0);
    } catch (error) {
      thrown = error.name;
    }
    return [rest, waitAsync.name, waitAsync.length, thrown];
  };
  expect(await pool.run(look)).toEqual(look());
});
