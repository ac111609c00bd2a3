import { WorkerPool } from 'sloppy-workers';

const pool = WorkerPool.create('thread', {
  module: new URL('./tasks.mjs', import.meta.url),
  runtime: 'thread',
  workers: 1,
});
console.log(await pool.tasks.table([{ a: 1, b: 2 }]));
await pool.stop();
