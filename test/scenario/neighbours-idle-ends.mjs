// expect: exit 0
// Idle workers do not hold the process: nothing here is stopped.

import { fileURLToPath } from 'node:url';
import { WorkerPool } from '../../lib/adapters/message-pool.mjs';
import { QOper8 } from '../../lib/adapters/qoper8.mjs';
import { Scheduler } from '../../lib/adapters/scheduler.mjs';

const fixture = (name) =>
  fileURLToPath(new URL(`../js/adapters/fixtures/${name}`, import.meta.url));

const qoper8 = new QOper8({
  poolSize: 2,
  handlersByMessageType: new Map([['a', { text: 'finished({ ok: 1 })' }]]),
});
await Promise.all([qoper8.send({ type: 'a' }), qoper8.send({ type: 'a' })]);
// A request that runs does hold it, promise or not.
qoper8.message({ type: 'a' }, () => console.log('pass'));

const pool = new WorkerPool(2, fixture('square-worker.cjs'));
await pool.submit(2);
const scheduler = new Scheduler(2, fixture('tasks.cjs'));
await scheduler.runTask('add', { a: 1, b: 1 });
