import { WorkerPool } from 'sloppy-workers';

const pool = WorkerPool.create('tasks', {
  // The file lies beside: webpack would take it for a picture or the like.
  module: new URL(/* webpackIgnore: true */ './tasks.mjs', import.meta.url),
  workers: 1,
});
console.log(await pool.tasks.table([{ a: 1, b: 2 }]));
await pool.stop();
