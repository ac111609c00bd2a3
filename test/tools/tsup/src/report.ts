import { WorkerPool } from 'sloppy-workers';

export const pool = WorkerPool.create<typeof import('./tasks')>('tasks', {
  module: new URL('./tasks.js', import.meta.url),
  workers: 1,
});

export async function report(): Promise<string> {
  const inline = await pool.run(
    ({ input }: { input: number }) => {
      const isNode = typeof process.getActiveResourcesInfo === 'function';
      const twice = (n: number) => n * 2;
      return `${isNode ? 'node' : 'isolate'}: ${twice(input)}`;
    },
    { input: 21 },
  );
  return `${inline}, ${await pool.tasks.table([{ a: 1, b: 2 }])}`;
}
