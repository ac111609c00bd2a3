import { dirname, join } from 'node:path';
import { defineEventHandler } from 'h3';
import { WorkerPool } from 'sloppy-workers';

export default defineEventHandler(async () => {
  const pool = WorkerPool.create('tasks', {
    module: join(dirname(process.argv[1]), 'tasks.mjs'),
    workers: 1,
  });
  try {
    return await pool.tasks.sum([20, 22]);
  } catch (error) {
    return `${error.message}\n${error.cause?.message ?? ''}`;
  } finally {
    await pool.stop();
  }
});
