'use strict';

const { getHost } = require('../../../lib/executors/isolate/host.js');
const { WorkerPool } = require('../../../lib/pool/worker-pool.js');

test('a worker that is not at rest when it should leave does later', async () => {
  const { native } = getHost();
  const { trim } = native;
  let looks = 0;
  native.trim = (...given) => {
    looks += 1;
    if (looks > 2) trim.apply(native, given);
  };
  const pool = WorkerPool.create('pool', { idleTimeoutMs: 1 });
  try {
    const exited = new Promise((resolve) => pool.once('workerExit', resolve));
    await pool.run(() => 1);
    await exited;
    expect(looks).toBeGreaterThan(2);
  } finally {
    native.trim = trim;
    await pool.stop();
  }
});

// An error of the timer would be an uncaught one.
test('idle before its first job, a pool has no worker to end', async () => {
  const pool = WorkerPool.create('pool', { idleTimeoutMs: 1 });
  pool.resize(2);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await pool.run(() => 1)).toBe(1);
  await pool.stop();
});
