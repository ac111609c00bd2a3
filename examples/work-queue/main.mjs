// Uploads to a service that fails now and then, four at a time, with retry; who
// brings too many waits in line:  node examples/work-queue/main.mjs

import assert from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkQueue } from 'sloppy-workers';

const stored = new Map();
let underWay = 0;
let most = 0;

/** Stands for a service: every third upload fails once, the last one always. */
async function upload(id, attempt, signal) {
  most = Math.max(most, ++underWay);
  try {
    await sleep(5, undefined, { signal });
    if (id === 29 || (id % 3 === 0 && attempt === 1)) {
      throw new Error(`503 for ${id}`);
    }
    stored.set(id, attempt);
  } finally {
    underWay -= 1;
  }
}

const uploads = WorkQueue.create('uploads', {
  concurrency: 4,
  maxQueued: 8,
  overflow: 'backpressure',
  maxBackpressureWaiters: 100,
  retry: { maxAttempts: 3, backoffMs: (attempt) => 5 * 2 ** attempt },
}).process(async (job, { signal }) => {
  await upload(job.data.id, job.attempt, signal);
  return job.attempt;
});

// Four run, eight are queued, and the others wait for a place: with
// `overflow: 'reject'` they would be refused.
const results = await Promise.allSettled(
  Array.from({ length: 30 }, (_, id) => uploads.enqueue({ id })),
);
const failed = results.filter(({ status }) => status === 'rejected');
const { stats } = uploads.state;
console.log(stats);
console.log(`at most ${most} at once; gave up: ${failed[0].reason.message}`);
console.log(`because of: ${failed[0].reason.cause.message}`);
await uploads.stop();

assert.strictEqual(most, 4);
assert.strictEqual(stored.size, 29);
assert.strictEqual(stored.get(3), 2);
assert.strictEqual(failed.length, 1);
assert.strictEqual(failed[0].reason.code, 'SLOPPY_E_WORK_RETRY_EXHAUSTED');
assert.strictEqual(stats.completed, 29);
assert.strictEqual(stats.overflow, 30 - 4 - 8);
console.log('ok');
