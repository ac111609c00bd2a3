import { Queue, Worker } from 'bullmq';
import { expectType } from 'tsd';
import { processor } from '../../types/bullmq.js';
import { WorkerPool } from '../../types/index.js';

const connection = { host: 'localhost' };

async function check() {
  const queue = new Queue<{ width: number }>('video', { connection });
  await queue.add('resize', { width: 80 }, { jobId: 'video-17' });
  const run = processor<{ width: number }, string>('./processor.js', {
    workers: 4,
    runtime: 'thread',
    timeoutMs: (job) => job.data.timeoutMs,
    retry: (error) => error.code !== 'E_BAD',
    closeTimeoutMs: Infinity,
  });
  const worker = run.attach(
    new Worker<{ width: number }, string>('video', run, { connection }),
  );
  expectType<Worker<{ width: number }, string>>(worker);
  expectType<Promise<void>>(run.stop({ timeoutMs: 1 }));
  const pool = WorkerPool.create('own', { module: './tasks.mjs' });
  expectType<number>(processor(pool, { task: 'a' }).pool.state.workers);
  // @ts-expect-error no such option
  processor(pool, { workers: 2 });
  // @ts-expect-error no such option
  processor('./a.js', { timeout: 1 });
  // @ts-expect-error no such option
  processor('./a.js', { init: { data: 1 } });
}
check();
