// Loops that V8 13 and 14 would unroll until nothing in them looks for a
// termination: the time limit and the memory limit hold all the same, in the
// same thread.
import assert from 'node:assert/strict';

import { WorkerPool } from '../../lib/index.mjs';

const pool = WorkerPool.create('unrolled', { workers: 1, memoryLimitMb: 64 });

await assert.rejects(
  pool.run(
    () => {
      // biome-ignore lint/correctness/noUnusedVariables: this loop is unrolled
      let n = 0;
      for (;;) n += new Array(1000).length;
    },
    { timeoutMs: 1000 },
  ),
  { code: 'SLOPPY_E_WORK_JOB_TIMEOUT' },
);
await assert.rejects(
  pool.run(() => {
    const kept = [];
    for (;;) kept.push(new Array(1000).fill(kept.length));
  }),
  { code: 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED' },
);
assert.equal(await pool.run(() => 'next'), 'next');
assert.deepEqual(await pool.stop(), { cancelled: 0, forced: 0 });
console.log('pass');
