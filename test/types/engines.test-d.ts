import { Queue, Worker } from 'bullmq';
import { expectType } from 'tsd';
import { processor } from '../../types/bullmq.js';
import * as durable from '../../types/durable.js';
import { taskList } from '../../types/graphile-worker.js';
import { WorkerPool } from '../../types/index.js';
import { handler } from '../../types/pg-boss.js';

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

// One program, whose import and connection are all that differs.
async function onFile(connection: durable.DurableConnection) {
  const queue = new durable.Queue('video', { connection });
  await queue.add('resize', { width: 80 }, { jobId: 'a', priority: 1 });
  await queue.addBulk([{ name: 'a', data: {}, opts: { delay: 5 } }]);
  await queue.upsertJobScheduler('beat', { every: 1000 });
  expectType<{ [state: string]: number }>(await queue.getJobCounts());
  await queue.pause();
  await queue.resume();
  await queue.drain(true);
  expectType<string[]>(await queue.clean(0, 0, 'failed'));
  const run = processor('./processor.js', { workers: 4 });
  const worker = run.attach(
    new durable.Worker('video', run, { connection, concurrency: 4 }),
  );
  expectType<boolean>(worker.cancelJob('a', 'user'));
  await worker.close();
  await queue.close();
}
async function onServer(connection: { host: string }) {
  const queue = new Queue('video', { connection });
  await queue.add('resize', { width: 80 }, { jobId: 'a', priority: 1 });
  await queue.addBulk([{ name: 'a', data: {}, opts: { delay: 5 } }]);
  await queue.upsertJobScheduler('beat', { every: 1000 });
  expectType<{ [state: string]: number }>(await queue.getJobCounts());
  await queue.pause();
  await queue.resume();
  await queue.drain(true);
  expectType<string[]>(await queue.clean(0, 0, 'failed'));
  const run = processor('./processor.js', { workers: 4 });
  const worker = run.attach(
    new Worker('video', run, { connection, concurrency: 4 }),
  );
  expectType<boolean>(worker.cancelJob('a', 'user'));
  await worker.close();
  await queue.close();
}
onFile({ file: 'jobs.db' });
onServer({ host: 'redis' });

const file = { file: 'jobs.db' };
new durable.Worker<number, string>('q', async (job) => String(job.data), {
  connection: file,
}).on('completed', (job, result) => {
  expectType<number>(job.data);
  expectType<string>(result);
});
// @ts-expect-error no such option
new durable.Queue('q', { connection: file, prefix: 'a' });
// @ts-expect-error no such option
new durable.Queue('q', { connection: file }).add('a', {}, { parent: {} });

const tasks = WorkerPool.create('tasks', { module: './tasks.mjs' });
handler(tasks, { task: (job) => job.data.task, timeoutMs: 1000 });
expectType<'a' | 'b'>(
  null as unknown as keyof ReturnType<typeof taskList<'a' | 'b'>>,
);
taskList(tasks, ['a', 'b'], { schema: 'own', retry: () => false });
// @ts-expect-error no such option
handler(tasks, { timeout: 1 });
