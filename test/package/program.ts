// Compiled as a user's strict program under each module resolution.

import { SloppyWorkerError, WorkerPool, WorkQueue } from 'sloppy-workers';
import { Deadline } from 'sloppy-workers/time';
import { BackgroundService } from 'sloppy-workers/workers';

const pool = WorkerPool.create('words', { workers: 1 });

export async function countWords(text: string): Promise<number> {
  try {
    return await pool.run(
      ({ input }: { input: string }) => input.split(/\s+/).length,
      { input: text, deadline: Deadline.after(60_000) },
    );
  } catch (error) {
    if (error instanceof SloppyWorkerError) console.log(error.code);
    throw error;
  }
}

const queue = WorkQueue.create<string, number>('lengths');
queue.process((job) => job.data.length);
export const service = BackgroundService.create('ticker', async () => {});

countWords('one two three').then(async (count) => {
  console.log(count, await queue.enqueue('four'));
  await pool.stop();
});
