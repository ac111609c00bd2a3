// A worker process of pg-boss or graphile-worker that the parent kills:
// node postgres-worker.mjs '<json>'. Begins and ends of jobs are lines of a
// ledger, which survives kill -9. It sends `{ up: ids }` with its first job:
// the ids by which graphile-worker can take back what a lost worker held.

import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { WorkerPool } = require('../../../lib/index.js');

const { engine, connectionString, schema, ledger, concurrency } = JSON.parse(
  process.argv[2],
);
const note = (line) => appendFileSync(ledger, `${line}\n`);
const pool = WorkerPool.create('tasks', {
  module: new URL('./spin.mjs', import.meta.url),
  // This Node may have no addon that is built.
  runtime: 'thread',
  workers: concurrency,
  memoryLimitMb: 64,
});
const ids = [];
let isUp = false;

async function noted(id, run) {
  if (!isUp) process.send({ up: ids });
  isUp = true;
  note(`s ${id}`);
  const result = await run();
  note(`e ${id}`);
  return result;
}

async function startBoss() {
  const { PgBoss } = await import('pg-boss');
  const { handler } = require('../../../lib/adapters/pg-boss.js');
  const boss = new PgBoss({ connectionString, schema, supervise: false });
  boss.on('error', () => {});
  await boss.start();
  const run = handler(pool);
  const options = {
    batchSize: concurrency,
    perJobResults: true,
    pollingIntervalSeconds: 0.5,
  };
  // Each job by itself: a batch would be one line of the ledger.
  await boss.work('spin', options, async (jobs) =>
    (
      await Promise.all(jobs.map((job) => noted(job.id, () => run([job]))))
    ).flat(),
  );
}

async function startGraphile() {
  const { Logger, run } = await import('graphile-worker');
  const { taskList } = require('../../../lib/adapters/graphile-worker.js');
  const tasks = taskList(pool, ['spin'], { schema });
  const runner = await run({
    ...{ connectionString, schema, concurrency, pollInterval: 100 },
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: {
      spin: (payload, helpers) =>
        noted(helpers.job.id, () => tasks.spin(payload, helpers)),
    },
    events: poolIds(),
  });
  await runner.promise;
}

function poolIds() {
  const { EventEmitter } = require('node:events');
  const events = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => ids.push(workerPool.id));
  return events;
}

process.once('disconnect', () => process.exit());
await (engine === 'pg-boss' ? startBoss() : startGraphile());
