// expect: exit 5
// Code that never looks for a termination costs its thread, not the pool nor
// the process: the caller is told, the next job runs, stop() resolves, and the
// process ends with its own exit code although the thread still executes.
import assert from 'node:assert/strict';

import { WorkerPool } from '../../lib/index.mjs';

const pool = WorkerPool.create('unkillable', { workers: 1 });

function neverLooks() {
  let n = 0;
  Array.prototype.forEach.call({ length: 2 ** 53 - 1 }, () => n++);
}

await assert.rejects(pool.run(neverLooks, { timeoutMs: 100 }), {
  code: 'SLOPPY_E_WORK_JOB_TIMEOUT',
});
assert.equal(await pool.run(() => 'next'), 'next');
assert.deepEqual(await pool.stop(), { cancelled: 0, forced: 0 });

process.exitCode = 5;
process.on('exit', () => console.log('pass'));
