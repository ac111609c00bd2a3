import { expectAssignable, expectType } from 'tsd';
import { Journal } from '../../types/journal.js';
import { MessageWorkerPool, WorkerPool } from '../../types/pool.js';
import {
  type MessageWorker,
  ReusableWorkerPool,
  TransientWorkerPool,
  type WorkerPool as WorkerPoolLike,
  WorkerSession,
} from '../../types/pools.js';
import { QOper8, type QOper8Handler } from '../../types/qoper8.js';
import { benchmark } from '../../types/qoper8-benchmark.js';
import { Scheduler } from '../../types/scheduler.js';
import { CountingSemaphore } from '../../types/semaphore.js';

async function check() {
  const handler: QOper8Handler = function (message, finished) {
    expectType<number>(this.id);
    this.postMessage({ step: message.step });
    return finished({ done: true });
  };
  expectType<QOper8Handler>(handler);

  const qoper8 = new QOper8({
    handlersByMessageType: new Map([['a', { text: 'finished()' }]]),
    QBackup: Journal.open('queue.db', { driver: 'node' }),
    onStartup: { module: './x.mjs', arguments: { f: () => 1 } },
    runtime: 'thread',
  });
  expectType<Promise<{ got: number }>>(qoper8.send<{ got: number }>({}));
  qoper8.message({ type: 'a' }, (_answer, workerId) => {
    expectType<number>(workerId);
  });
  qoper8.on('replyReceived', ({ workerId }) => expectType<number>(workerId));
  qoper8.on('QBackupDelete', (id) => expectType<number>(id));
  expectType<Promise<void>>(qoper8.stop());
  expectType<number>((await qoper8.getStats()).main_process.noOfMessages);
  expectType<number>((await benchmark({ poolSize: 2 })).rate);
  // @ts-expect-error refused on purpose
  new QOper8({ runtime: 'fiber' });
  // @ts-expect-error refused on purpose
  qoper8.send('text');

  const pool = new WorkerPool<{ x: number }, string>(2, '/w.js', { foo: 1 });
  expectType<Promise<string>>(pool.submit({ x: 1 }));
  expectType<Promise<number>>(pool.terminate());
  expectType<number>(pool.pendingTasks);
  expectType<number>(pool.workerPool.size);
  // @ts-expect-error refused on purpose
  pool.submit({ y: 1 });
  new MessageWorkerPool(undefined, new URL('file:///w.js'));

  const scheduler = new Scheduler(2, '/tasks.cjs', { keepAlive: true });
  expectType<Promise<number>>(scheduler.runTask<number>('add', { a: 1 }));
  expectType<Promise<void>>(scheduler.stop());

  expectType<Promise<void>>(new CountingSemaphore(3).acquire());
  const shared = new CountingSemaphore(new SharedArrayBuffer(4), 3);
  expectType<void>(shared.acquire());
  expectType<Promise<number>>(shared.use(() => 1));
  expectType<boolean>(
    CountingSemaphore.attach(new SharedArrayBuffer(4)).tryAcquire(),
  );

  const reusable = new ReusableWorkerPool({
    maxWorkers: 2,
    workerURL: '/w.mjs',
  });
  const worker = await reusable.getWorker();
  expectType<MessageWorker>(worker);
  // Code that was written for the web's workers takes ours.
  expectAssignable<Worker>(worker);
  const web = worker as Worker;
  reusable.releaseWorker(web);
  new TransientWorkerPool().releaseWorker(web);
  // @ts-expect-error refused on purpose
  reusable.releaseWorker('worker');
  worker.addEventListener('error', ({ message }) => {
    expectType<string | undefined>(message);
  });
  worker.on('exit', (code) => expectType<number>(code));
  expectType<Promise<number>>(worker.terminate());
  expectType<false>(new TransientWorkerPool().isFull());
  const session = await WorkerSession.create({ workerPool: reusable });
  expectType<MessageWorker>(session.getWorker());
  const own = await WorkerSession.create({
    workerPool: {
      getWorker: async () => 'worker',
      releaseWorker: (_worker: string) => {},
      getNextRequestId: () => 1,
    },
  });
  expectType<string>(own.getWorker());
  expectAssignable<WorkerPoolLike>(reusable);
  expectAssignable<WorkerPoolLike>(new OwnPool());
  const custom = await WorkerSession.create({ workerPool: new OwnPool() });
  expectType<Worker>(custom.getWorker());
}

class OwnPool implements WorkerPoolLike {
  readonly size = 0;
  async getWorker(workerURL: string | URL = '/w.mjs'): Promise<Worker> {
    return new Worker(workerURL);
  }
  releaseWorker(worker: Worker): void {
    worker.terminate();
  }
  getNextRequestId(): number {
    return 0;
  }
  isFull(): boolean {
    return false;
  }
  terminate(): void {}
  [Symbol.dispose](): void {}
}
void check;
