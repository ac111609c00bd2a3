import { type IQueueBackend, Queue, Worker, withBackend } from 'bullmq';
import { expectAssignable, expectType } from 'tsd';
import { processor } from '../../types/bullmq.js';
import { taskList } from '../../types/graphile-worker.js';
import { WorkerPool } from '../../types/index.js';
import { handler } from '../../types/pg-boss.js';
import {
  createSqliteBackend,
  type SqliteConnection,
} from '../../types/sqlite.js';

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
const onSqlite = withBackend(createSqliteBackend);
async function onFile(connection: SqliteConnection) {
  const queue = new onSqlite.Queue('video', { connection });
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
    new onSqlite.Worker('video', run, { connection, concurrency: 4 }),
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
new onSqlite.Worker('q', async (job) => String(job.data), {
  connection: file,
});
new onSqlite.FlowProducer({ connection: file, prefix: 'a' });
new onSqlite.QueueEvents('q', { connection: file });
expectAssignable<IQueueBackend>(
  new onSqlite.Queue('q', { connection: file }).getBackend(),
);
// @ts-expect-error no such option
new onSqlite.Queue('q', { connection: { file: 'jobs.db', host: 'redis' } });

const tasks = WorkerPool.create('tasks', { module: './tasks.mjs' });
handler(tasks, { task: (job) => job.data.task, timeoutMs: 1000 });
expectType<'a' | 'b'>(
  null as unknown as keyof ReturnType<typeof taskList<'a' | 'b'>>,
);
taskList(tasks, ['a', 'b'], { schema: 'own', retry: () => false });
// @ts-expect-error no such option
handler(tasks, { timeout: 1 });
