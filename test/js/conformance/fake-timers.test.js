'use strict';
// Limits and stops are of real time, also beside a test's fake timers; only
// `sloppy/time` follows those.

const { Deadline, Time } = require('../../../lib/time.js');
const { WorkQueue } = require('../../../lib/index.js');
const {
  createPool,
  moduleFile,
  startWorker,
  stopAll,
} = require('./support.js');

const TIMEOUT = 'SLOPPY_E_WORK_JOB_TIMEOUT';
const endless = () => {
  for (;;);
};
const codeOf = (promise) =>
  promise.then(
    () => 'fulfilled',
    (error) => error.code,
  );

// Far from real time, as a test may have moved it.
function fake() {
  jest.useFakeTimers();
  jest.advanceTimersByTime(10 ** 9);
}

afterEach(async () => {
  jest.useRealTimers();
  await stopAll();
});

describe.each([
  ['a new pool', false],
  ['a pool that was there before', true],
])('of %s', (_name, isOld) => {
  const poolWith = async (options) => {
    if (!isOld) fake();
    const pool = createPool(options);
    if (isOld) {
      await pool.run(() => 1);
      fake();
    }
    return pool;
  };

  test.each([
    ['timeoutMs', { timeoutMs: 30 }],
    ['runTimeoutMs', { runTimeoutMs: 30 }],
    ['a deadline', () => ({ deadline: Deadline.after(30) })],
  ])('%s', async (_limit, given) => {
    const pool = await poolWith();
    const limit = typeof given === 'function' ? given() : given;
    expect(await codeOf(pool.run(endless, limit))).toBe(TIMEOUT);
    expect(await pool.run(() => 2)).toBe(2);
  });

  test('cancelGraceMs', async () => {
    const pool = await poolWith({ cancelGraceMs: 30 });
    expect(await codeOf(pool.run(endless, { timeoutMs: 30 }))).toBe(TIMEOUT);
    expect(await pool.run(() => 2)).toBe(2);
  });

  test('timeoutMs of jobs that wait', async () => {
    const pool = await poolWith({
      maxQueued: 1,
      overflow: 'backpressure',
      maxBackpressureWaiters: 5,
    });
    const running = codeOf(pool.run(endless));
    const waiting = [1, 2, 3].map(() =>
      codeOf(pool.run(() => 1, { timeoutMs: 30 })),
    );
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => TIMEOUT));
    await pool.stop({ timeoutMs: 30 });
    expect(await running).toBe('SLOPPY_E_WORKER_SHUTDOWN_CANCELLED');
  });

  test('a job within its limits', async () => {
    const pool = await poolWith();
    const limits = { timeoutMs: 600_000, runTimeoutMs: 600_000 };
    expect(await pool.run(({ deadline }) => deadline.expired, limits)).toBe(
      false,
    );
  });
});

test('of the start', async () => {
  const module = moduleFile('export const init = () => { for (;;); };');
  fake();
  const pool = createPool({ init: { module, timeoutMs: 30 } });
  expect(await codeOf(pool.run(() => 1))).toBe(
    'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED',
  );
});

test('of the start of a Worker', async () => {
  fake();
  const started = startWorker('for (;;);', { startTimeoutMs: 30 });
  expect(await codeOf(started)).toBe('SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED');
});

test('of a queue', async () => {
  fake();
  const queue = WorkQueue.create('queue');
  queue.process(() => new Promise(() => {}));
  expect(await codeOf(queue.enqueue(1, { timeoutMs: 30 }))).toBe(TIMEOUT);
  await queue.stop({ timeoutMs: 30 });
});

test('sloppy/time follows fake timers', async () => {
  jest.useFakeTimers();
  let isOver = false;
  const delayed = Time.delay(10 ** 8).then(() => {
    isOver = true;
  });
  jest.advanceTimersByTime(10 ** 8 - 1);
  await null;
  expect(isOver).toBe(false);
  jest.advanceTimersByTime(1);
  await delayed;
});
