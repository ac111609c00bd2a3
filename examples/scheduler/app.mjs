// Runs named tasks in two workers, and bounds how many run at once:
//   node app.mjs

import { fileURLToPath } from 'node:url';
import { Scheduler } from 'sloppy-workers/scheduler';
import { CountingSemaphore } from 'sloppy-workers/semaphore';

const tasks = fileURLToPath(new URL('./tasks.cjs', import.meta.url));
const scheduler = new Scheduler(2, tasks);
scheduler.start();

console.log(await scheduler.runTask('add', { a: 2, b: 3 }));

const semaphore = new CountingSemaphore(3);
const products = await Promise.all(
  [1, 2, 3, 4, 5, 6].map((n) =>
    semaphore.use(() => scheduler.runTask('multiply', { a: n, b: n })),
  ),
);
console.log(products);

for (const name of ['fail', 'nonexistent']) {
  await scheduler.runTask(name).catch((err) => console.log(err.message));
}
await scheduler.stop();
