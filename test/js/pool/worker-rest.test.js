'use strict';

const { setTimeout: sleep } = require('node:timers/promises');

const { WorkerPool } = require('../../../lib/pool/worker-pool.js');

const heapTotalOf = async (pool) => (await pool.stats())[0].heapTotalBytes;

test('a worker without jobs gives back what they have left', async () => {
  const pool = WorkerPool.create('pool', { workers: 1 });
  try {
    await pool.run(() => {
      globalThis.left = new WeakRef({});
      let kept = [];
      for (let i = 0; i < 3e5; i += 1) {
        kept.push({ i });
        if (kept.length > 1e5) kept = [];
      }
    });
    const left = await heapTotalOf(pool);
    expect(left).toBeGreaterThan(8 << 20);
    // It rests after a second. Nothing that is asked here keeps it from that.
    while ((await heapTotalOf(pool)) > left / 2) await sleep(20);
    expect(await pool.run(() => globalThis.left.deref() === undefined)).toBe(
      true,
    );
  } finally {
    await pool.stop();
  }
});
