// The answer of a route, of a server that a framework bundles. Its tasks file
// stays where it is.
import { join } from 'node:path';
import { WorkerPool } from 'sloppy-workers';

const pool = WorkerPool.create('tasks', {
  module: join(process.cwd(), 'tasks.mjs'),
  workers: 1,
});

export async function report() {
  try {
    const inline = await pool.run(
      ({ input }) => {
        const isNode = typeof process.getActiveResourcesInfo === 'function';
        const twice = (n) => n * 2;
        return `${isNode ? 'node' : 'isolate'}: ${twice(input)}`;
      },
      { input: 21 },
    );
    return `${inline}, ${await pool.tasks.table([{ a: 1, b: 2 }])}`;
  } catch (error) {
    return `${error.message}\n${error.cause?.message ?? ''}`;
  }
}
