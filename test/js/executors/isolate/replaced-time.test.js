'use strict';
// Limits beside a replaced clock, as tests of programs have it: it says nothing
// of the addon's time.

const { WorkerPool } = require('../../../../lib/index.js');

const LONG_MS = 600_000;
const pools = [];
const createPool = (options) => {
  const pool = WorkerPool.create('p', options);
  pools.push(pool);
  return pool;
};

// Each way in which a job with a limit is submitted.
const WAYS = {
  plain: {},
  'of a priority': { priority: 1 },
  'with messages': { onMessage() {} },
};

// The clock is far ahead of the addon's from then on.
function replaceTime() {
  jest.useFakeTimers();
  jest.advanceTimersByTime(1000 * LONG_MS);
}

afterEach(async () => {
  jest.useRealTimers();
  for (const pool of pools.splice(0)) await pool.stop();
});

describe.each(Object.keys(WAYS))('a job with a limit, %s', (way) => {
  // The first of the process is one of them.
  test('is not late in a pool that was made then', async () => {
    const options = { input: 1, timeoutMs: LONG_MS, ...WAYS[way] };
    replaceTime();
    const pool = createPool({ metrics: true });
    expect(await pool.run(({ input }) => input, options)).toBe(1);
    jest.useRealTimers();
    expect(await pool.run(({ input }) => input, options)).toBe(1);
  });

  test('is ended in time in a pool that was made before', async () => {
    const pool = createPool();
    await pool.run(() => 1);
    replaceTime();
    const endless = pool.run(
      () => {
        for (;;);
      },
      { timeoutMs: 20, ...WAYS[way] },
    );
    await expect(endless).rejects.toThrow('SLOPPY_E_WORK_JOB_TIMEOUT');
    expect(await pool.run(() => 2)).toBe(2);
  });
});
