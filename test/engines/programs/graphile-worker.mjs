// graphile-worker over a pool: results, errors, attempts, and a shutdown that
// gives a loop back.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';

const require = createRequire(import.meta.url);
const { WorkerPool } = require('../../../lib/index.js');
const { taskList } = require('../../../lib/adapters/graphile-worker.js');

const connectionString = `postgres://postgres@127.0.0.1:${process.argv[2]}/postgres`;
const logger = new Logger(() => () => {});
const utils = await makeWorkerUtils({ connectionString, logger });
await utils.migrate();
const pool = WorkerPool.create('graphile', {
  module: new URL('../../js/engines/fixtures/tasks.mjs', import.meta.url),
  ...{
    workers: 2,
    memoryLimitMb: 64,
    runtime: 'thread',
    overflow: 'backpressure',
  },
});
const names = ['double', 'boom', 'memory', 'loop'];
const runner = await run({
  ...{ connectionString, concurrency: 2, pollInterval: 200, logger },
  noHandleSignals: true,
  gracefulShutdownAbortTimeout: 200,
  taskList: taskList(pool, names, {
    timeoutMs: ({ payload }) => payload.limit,
  }),
});

async function endOf(task, payload, options) {
  const job = await utils.addJob(task, payload, options);
  for (;;) {
    const [told] = await once(runner.events, 'job:complete');
    if (told.job.id === job.id) return told;
  }
}

const row = async (id) => {
  const { rows } = await utils.withPgClient((client) =>
    client.query(
      'select attempts, max_attempts, locked_at from graphile_worker._private_jobs where id = $1',
      [id],
    ),
  );
  return rows[0];
};

assert.equal((await endOf('double', { value: 2 })).error, null);
const boom = await endOf('boom', {});
assert.equal(boom.error.code, 'E_BAD');
assert.ok((await row(boom.job.id)).max_attempts > 1);
const memory = await endOf('memory', {});
assert.match(memory.error.code, /RESOURCE_LIMIT/);
// It is left no attempts some milliseconds after its end.
for (;;) {
  const hopeless = await row(memory.job.id);
  if (hopeless.attempts === hopeless.max_attempts) break;
  assert.equal(hopeless.attempts, 1);
}
const late = await endOf('loop', { limit: 200 });
assert.equal(late.error.code, 'SLOPPY_E_WORK_JOB_TIMEOUT');

const loop = await utils.addJob('loop', {});
while (pool.state.queue.active === 0) {
  await new Promise((resolve) => setTimeout(resolve, 20));
}
await runner.stop();
assert.equal((await row(loop.id)).attempts, 0);
await utils.release();
await pool.stop();
console.log('pass');
