// Jobs that survive their process, without a server: BullMQ's queue in a file,
// and a pool that runs them. For Redis, `Queue` and `Worker` come from `bullmq`
// itself, and the connection is { host }.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withBackend } from 'bullmq';
import { processor } from 'sloppy-workers/bullmq';
import { createSqliteBackend } from 'sloppy-workers/sqlite';

const { Queue, Worker } = withBackend(createSqliteBackend);

function hasSqlite() {
  if (isBuiltin('node:sqlite')) return true;
  try {
    createRequire(import.meta.url).resolve('better-sqlite3');
    return true;
  } catch {
    return false;
  }
}

async function main(folder) {
  const connection = { file: join(folder, 'jobs.db') };
  const queue = new Queue('primes', { connection });
  const parts = Array.from({ length: 20 }, (_, i) => ({
    name: 'count',
    data: { from: i * 5000, to: (i + 1) * 5000 },
    opts: { jobId: `part-${i}`, attempts: 3 },
  }));
  await queue.addBulk(parts);
  // The same ids again: nothing is added twice.
  await queue.addBulk(parts);
  console.log('on the disk:', await queue.getJobCounts('waiting'));

  const run = processor(new URL('./tasks.mjs', import.meta.url), {
    workers: 2,
    timeoutMs: 60_000,
  });
  const worker = run.attach(
    new Worker('primes', run, {
      connection,
      concurrency: 2,
      maxStalledCount: 5,
    }),
  );
  let primes = 0;
  worker.on('completed', (_job, found) => {
    primes += found;
  });
  await new Promise((resolve) => worker.once('drained', resolve));
  await worker.close();

  console.log('primes below 100 000:', primes);
  assert.equal(primes, 9592);
  assert.deepEqual(await queue.getJobCounts('completed', 'failed', 'waiting'), {
    completed: 20,
    failed: 0,
    waiting: 0,
  });
  await queue.close();
}

if (hasSqlite()) {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
  try {
    await main(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} else {
  console.log('Node 22.13 or later has SQLite; before: npm i better-sqlite3');
}
console.log('ok');
