'use strict';
// A thread of Node's whose heap reaches its limit ends with its job, however it
// got there; jobs behind it and the process live on.

const {
  WorkerPool,
  assert,
  expectAlive,
  expectCode,
  pass,
} = require('./support/check.js');
const hungry = require('./fixtures/broken-hungry.js');

// Node has no limit for these: they are not in the heap.
const OUTSIDE = ['typedArrays', 'typedArraysDespiteCatch', 'oneTypedArray'];
const only = process.argv[2];

async function hungryJobs() {
  const pool = WorkerPool.create('hungry', {
    workers: 1,
    runtime: 'thread',
    memoryLimitMb: 32,
  });
  for (const [name, fn] of Object.entries(hungry)) {
    if (OUTSIDE.includes(name)) continue;
    if (only !== undefined && name !== only) continue;
    console.log(name);
    const job = pool.run(fn);
    // Waiting for the same worker: must not be lost.
    const behind = pool.run(({ input }) => input, { input: name });
    await expectCode(name, job, 'ResourceLimit');
    assert.strictEqual(await behind, name);
    await expectAlive(pool, name);
  }
  await pool.stop();
}

hungryJobs().then(pass);
