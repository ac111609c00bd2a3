// A caller that ends a pool or a scheduler need not listen to what it still had
// to do: an unhandled rejection would end this process.
import { fileURLToPath } from 'node:url';

import { WorkerPool } from '../../lib/adapters/message-pool.mjs';
import { Scheduler } from '../../lib/adapters/scheduler.mjs';

const fixture = (name) =>
  fileURLToPath(new URL(`../js/adapters/fixtures/${name}`, import.meta.url));
const turn = () => new Promise((resolve) => setTimeout(resolve, 20));

for (const runtime of ['isolate', 'thread']) {
  const pool = new WorkerPool(1, fixture('square-worker.cjs'), {}, { runtime });
  await pool.submit(2);
  for (let i = 0; i < 3; i++) pool.submit(i);
  await pool.terminate();
  await turn();

  const scheduler = new Scheduler(1, fixture('tasks.cjs'), { runtime });
  await scheduler.runTask('add', { a: 1, b: 2 });
  for (let i = 0; i < 3; i++) scheduler.runTask('later', { value: 1 });
  await scheduler.stop();
  await turn();
}
console.log('pass');
