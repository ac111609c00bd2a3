import { WorkerPool } from 'sloppy-workers';

const input = [{ a: 1, b: 2 }];
const tasks = WorkerPool.create('tasks', {
  module: new URL(import.meta.resolve('@acme/tasks')),
  workers: 1,
});
console.log(await tasks.tasks.table(input));
await tasks.stop();
// The module is named against the working directory.
const pool = WorkerPool.create('functions', { workers: 1 });
console.log(
  await pool.run(({ modules, input }) => modules.tasks.table(input), {
    input,
    modules: { tasks: '@acme/tasks' },
  }),
);
await pool.stop();
