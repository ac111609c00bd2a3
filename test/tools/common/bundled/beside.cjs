// The tasks file of a program in one file lies beside it.
const { join } = require('node:path');
const { WorkerPool } = require('sloppy-workers');

const pool = WorkerPool.create('tasks', {
  module: join(__dirname, 'tasks.mjs'),
});
const answer = pool.tasks.table([{ a: 1, b: 2 }]);
answer.then(console.log).then(() => pool.stop());
