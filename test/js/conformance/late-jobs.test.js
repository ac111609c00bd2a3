'use strict';
// A job whose time is over while it waits never begins, even if the owner is
// busy then, and costs its worker nothing.

const {
  createPool,
  moduleFile,
  outcomes,
  runtime,
  stopAll,
} = require('./support.js');

afterEach(stopAll);

const TIMEOUT = 'SLOPPY_E_WORK_JOB_TIMEOUT';

function spin(ms) {
  for (const until = Date.now() + ms; Date.now() < until; );
}

const WORK = ({ input, emit }) => {
  emit('begun');
  for (const until = Date.now() + input; Date.now() < until; );
  return Date.now();
};

const LATE_MS = 50;
// The clocks of threads may differ by so much.
const CLOCK_MS = 5;

/** @returns {Promise<boolean>} whether they were late when the first one ended */
async function wereLate(pool, submit, workMs) {
  await pool.run(() => {
    globalThis.kept = 'warm';
  });
  let first;
  await new Promise((onMessage) => {
    first = pool.run(WORK, { input: workMs, onMessage });
  });
  const late = outcomes(submit());
  const lateAt = Date.now() + LATE_MS + CLOCK_MS;
  await new Promise((resolve) => setImmediate(resolve));
  spin(workMs + 300);
  const endedAt = await first;
  const ends = await late;
  if (endedAt <= lateAt) return false;
  expect(ends).toEqual(ends.map(() => TIMEOUT));
  expect(await pool.run(() => globalThis.kept)).toBe('warm');
  return true;
}

// A busy machine may submit them when the first one is about to end. They have
// the time to begin then, and the first one gets more.
async function afterABusyOwner(pool, submit) {
  for (let workMs = 200; ; workMs *= 2) {
    if (await wereLate(pool, submit, workMs)) return;
  }
}

test.each([1, 40])('%i of them', async (count) => {
  const pool = createPool({ maxQueued: 100, workers: 1 });
  await afterABusyOwner(pool, () =>
    Array.from({ length: count }, () =>
      pool.run(
        () => {
          globalThis.kept = 'the late job ran';
        },
        { timeoutMs: LATE_MS },
      ),
    ),
  );
});

test.each([
  ['by deadline', { order: 'deadline' }],
  ['with a grace period', { cancelGraceMs: 10_000 }],
  ['with metrics', { metrics: true }],
])('%s', async (_name, options) => {
  const pool = createPool({ workers: 1, ...options });
  await afterABusyOwner(pool, () => [
    pool.run(
      () => {
        globalThis.kept = 'the late job ran';
      },
      { timeoutMs: LATE_MS },
    ),
    pool.run(() => 1, { deadline: LATE_MS, input: { a: [1, 2] } }),
  ]);
});

test('with keys', async () => {
  const pool = createPool({ affinity: true, workers: 1 });
  await afterABusyOwner(pool, () => [
    pool.run(() => 1, { key: 'a', timeoutMs: LATE_MS }),
    pool.run(() => 1, { key: 'b', timeoutMs: LATE_MS }),
  ]);
});

test('a run that may take no time', async () => {
  const pool = createPool({ workers: 1 });
  await pool.run(() => {
    globalThis.kept = 'warm';
  });
  const late = pool.run(
    () => {
      globalThis.kept = 'it ran';
    },
    { runTimeoutMs: 0 },
  );
  expect(await outcomes([late])).toEqual([TIMEOUT]);
  expect(await pool.run(() => globalThis.kept)).toBe('warm');
});

// Fails where a worker that has to leave drops the job that it has taken. The
// queue is the same for threads of Node's, which take long to start.
const ROUNDS = runtime === 'isolate' ? 40 : 8;
test('no job is lost when the pool is resized while a worker prepares itself', async () => {
  const pool = createPool({
    workers: 3,
    init: { module: moduleFile('export const init = () => 1;') },
  });
  const failed = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const exits = [1, 2, 3].map(() =>
      pool.run(() => {
        process.exit(3);
      }),
    );
    const jobs = [1, 2, 3, 4, 5].map(() => pool.run(() => 1));
    const settled = Promise.allSettled([...exits, ...jobs]);
    await new Promise((resolve) => setTimeout(resolve, (round % 8) / 4));
    pool.resize(1 + (round % 3));
    for (const { reason } of await settled) {
      if (reason?.code === TIMEOUT) failed.push(reason);
    }
  }
  expect(failed).toEqual([]);
}, 60_000);
