import { join } from 'node:path';
import { WorkerPool } from 'sloppy-workers';

export const dynamic = 'force-dynamic';

export async function GET() {
  const pool = WorkerPool.create('tasks', {
    // Next takes `new URL` for a picture or the like.
    module: join(process.cwd(), 'lib/tasks.mjs'),
    workers: 1,
  });
  try {
    const table = await pool.tasks.table([{ a: 1, b: 2 }]);
    const inline = await pool.run(
      ({ input }) => {
        const isNode = typeof process.getActiveResourcesInfo === 'function';
        const twice = (n) => n * 2;
        return `${isNode ? 'node' : 'isolate'}: ${twice(input)}`;
      },
      { input: 21 },
    );
    return new Response(`${inline}, ${table}`);
  } catch (error) {
    return new Response(`${error.message}\n${error.cause?.message ?? ''}`, {
      status: 500,
    });
  } finally {
    await pool.stop();
  }
}
