import { WorkerPool } from 'sloppy-workers';

const pool = WorkerPool.create('tasks', {
  module: new URL('./tasks.mjs', import.meta.url),
  runtime: 'thread',
});
console.log(await pool.tasks.table([{ a: 1, b: 2 }]));
await pool.stop();
