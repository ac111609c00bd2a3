// Adds jobs from any process:  node add.mjs jobs.db

import { withBackend } from 'bullmq';
import { createSqliteBackend } from 'sloppy-workers/sqlite';

const { Queue } = withBackend(createSqliteBackend);
const queue = new Queue('primes', { connection: { file: process.argv[2] } });
// A job is on the disk when its promise resolves; the same id adds nothing.
await queue.addBulk(
  Array.from({ length: 20 }, (_, i) => ({
    name: 'count',
    data: { from: i * 5000, to: (i + 1) * 5000 },
    opts: { jobId: `part-${i}`, attempts: 3 },
  })),
);
await queue.close();
