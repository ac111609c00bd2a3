import { WorkerPool } from 'sloppy-workers';

const RUNTIMES = ['isolate', 'thread', 'process'] as const;

/** A function with names inside, which compilers wrap. */
export async function inlineAnswer(): Promise<string> {
  const pool = WorkerPool.create('inline', { workers: 1 });
  try {
    return await pool.run(
      ({ input }: { input: number }) => {
        const isNode = typeof process.getActiveResourcesInfo === 'function';
        const twice = (n: number) => n * 2;
        class Box {
          value = twice(input);
        }
        return `${isNode ? 'node' : 'isolate'}: ${new Box().value}`;
      },
      { input: 21 },
    );
  } finally {
    await pool.stop();
  }
}

/** The functions of a file of its own. */
export async function moduleAnswer(module: string | URL): Promise<string> {
  const pool = WorkerPool.create<typeof import('./tasks')>('tasks', {
    module,
    runtime: RUNTIMES.find((each) => each === process.env.RUNTIME),
    workers: 1,
  });
  try {
    return await pool.tasks.report([1, 2, 30]);
  } finally {
    await pool.stop();
  }
}
