// Jobs of BullMQ in a file, without Redis, run in a pool:
//   npm install bullmq@6 sloppy-workers     (before Node 22.13 better-sqlite3 too)
//   node add.mjs jobs.db; node worker.mjs jobs.db

import { availableParallelism } from 'node:os';
import { withBackend } from 'bullmq';
import { processor } from 'sloppy-workers/bullmq';
import { createSqliteBackend } from 'sloppy-workers/sqlite';

const { Worker } = withBackend(createSqliteBackend);
const workers = availableParallelism();

// The time limit ends endless loops too; then BullMQ's attempts apply.
const run = processor(new URL('./tasks.mjs', import.meta.url), {
  workers,
  timeoutMs: 60_000,
});
// The file is the queue, so BullMQ takes no more than the pool can run.
const worker = run.attach(
  new Worker('primes', run, {
    connection: { file: process.argv[2] },
    concurrency: workers,
    maxStalledCount: 5,
  }),
);
worker.on('completed', (job) => console.log(`${job.id}: ${job.returnvalue}`));
worker.on('failed', (job, error) => console.error(job?.id, error.message));

// A job that does not end in time waits in the file for the next process.
process.once('SIGTERM', () => run.stop({ timeoutMs: 8000 }));
