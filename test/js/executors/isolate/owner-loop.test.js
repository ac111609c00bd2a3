'use strict';

const { WorkerPool } = require('../../../../lib/pool/worker-pool.js');
const { getHost } = require('../../../../lib/executors/isolate/host.js');

/** Counts how often the addon is told that work is under way, or no longer. */
async function activations(act) {
  const host = getHost();
  const { native } = host;
  let count = 0;
  host.native = Object.create(native, {
    activate: {
      value: () => {
        count += 1;
        native.activate();
      },
    },
  });
  try {
    await act();
  } finally {
    host.native = native;
  }
  return count;
}

const untilNextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('the owner’s loop', () => {
  let pool;
  beforeAll(() => {
    pool = WorkerPool.create('loop', { workers: 1 });
  });
  afterAll(() => pool.stop());

  const call = (input) => pool.run((job) => job.input, { input });

  test('is left as it is while each answer leads to the next call', async () => {
    await call(0);
    await untilNextTurn();
    const count = await activations(async () => {
      for (let n = 0; n < 100; n += 1) expect(await call(n)).toBe(n);
      await untilNextTurn();
    });
    // Calls and answers between which the loop went on come in pairs.
    expect(count).toBeLessThanOrEqual(2);
  });

  test('is told of each call that comes in a turn of its own', async () => {
    await untilNextTurn();
    const count = await activations(async () => {
      for (let n = 0; n < 10; n += 1) {
        expect(await call(n)).toBe(n);
        await untilNextTurn();
      }
    });
    expect(count).toBeGreaterThanOrEqual(10);
  });
});
