// pg-boss over a pool: results, errors, dead letters, a loop that is ended
// before its time, and a batch that does not wait for it.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { PgBoss } from 'pg-boss';

const require = createRequire(import.meta.url);
const { WorkerPool } = require('../../../lib/index.js');
const { handler } = require('../../../lib/adapters/pg-boss.js');

const connectionString = `postgres://postgres@127.0.0.1:${process.argv[2]}/postgres`;
const boss = new PgBoss({ connectionString, schema: `boss${process.pid}` });
boss.on('error', (error) => console.log('error', error.message));
await boss.start();
const pool = WorkerPool.create('boss', {
  module: new URL('../../js/engines/fixtures/tasks.mjs', import.meta.url),
  ...{
    workers: 2,
    memoryLimitMb: 64,
    runtime: 'thread',
    overflow: 'backpressure',
  },
});

await boss.createQueue('dead');
await boss.createQueue('q', {
  retryLimit: 0,
  // More than the jobs that end by themselves need on any machine.
  expireInSeconds: 60,
  deadLetter: 'dead',
});
const send = (task, data = {}, options = {}) =>
  boss.send('q', { task, ...data }, options);
const ids = {
  loop: await send('loop', {}, { expireInSeconds: 3 }),
  double: await send('double', { value: 4 }),
  boom: await send('boom'),
  memory: await send('memory'),
};
const options = {
  batchSize: 4,
  perJobResults: true,
  pollingIntervalSeconds: 0.5,
};
await boss.work('q', options, handler(pool, { task: ({ data }) => data.task }));

async function ended(id) {
  for (;;) {
    const [job] = await boss.findJobs('q', { id });
    if (job && ['completed', 'failed'].includes(job.state)) return job;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const jobs = {};
for (const [name, id] of Object.entries(ids)) jobs[name] = await ended(id);
assert.equal(jobs.double.state, 'completed');
assert.equal(jobs.double.output.value ?? jobs.double.output, 8);
assert.equal(jobs.boom.state, 'failed');
assert.equal(jobs.boom.output.code, 'E_BAD');
assert.equal(jobs.loop.output.code, 'SLOPPY_E_WORK_JOB_TIMEOUT');
assert.equal(
  jobs.memory.output.code,
  'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED',
);

await boss.stop({ graceful: true, timeout: 2000 });
await pool.stop();
console.log('pass');
