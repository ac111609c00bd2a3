import { SHARE_ENV } from 'node:worker_threads';
import { expectAssignable, expectNotAssignable, expectType } from 'tsd';
import {
  type CancellationSignalLike,
  type JobContext,
  type JobDeadline,
  type JobSignal,
  prewarm,
  type RunOptions,
  type SharedValue,
  Sloppy,
  type StopReport,
  type WorkerIdentity,
  WorkerPool,
  type WorkerPoolOptions,
  type WorkerPoolState,
  type WorkQueueStats,
} from '../../types/index.js';

const pool = WorkerPool.create('numbers', { workers: 4, maxQueued: 128 });
expectType<WorkerPool>(pool);
expectType<string>(pool.name);

// The input's type reaches the function, its result's type the caller.
expectType<Promise<number>>(
  pool.run(({ input }) => input.length, { input: 'text' }),
);
expectType<Promise<{ sum: number }>>(
  pool.run(
    async (context) => {
      expectType<JobContext<number[]>>(context);
      expectType<number[]>(context.input);
      return { sum: context.input.reduce((a, b) => a + b, 0) };
    },
    { input: [1, 2, 3] },
  ),
);
expectType<Promise<string>>(
  pool.run<number, string>((context) => context.input.toFixed(), { input: 1 }),
);
expectType<Promise<string>>(pool.run<undefined, string>(() => 'x'));
expectType<Promise<boolean>>(
  pool.run(({ input, signal, deadline, emit }) => {
    expectType<null>(input);
    expectType<JobSignal>(signal);
    expectType<JobDeadline | undefined>(deadline);
    expectType<void>(emit({ progress: 0.5 }));
    return deadline?.expired ?? signal.cancelled;
  }),
);
const lengthOf = (context: JobContext<{ text: string }>) =>
  context.input.text.length;
expectType<Promise<number>>(pool.run(lengthOf, { input: { text: 'a' } }));
// @ts-expect-error not what the function takes
pool.run(lengthOf, { input: { text: 1 } });
// @ts-expect-error not a function
pool.run('input * 2');
// @ts-expect-error no such signal
pool.run(() => 1, { signal: null });
// @ts-expect-error not a number
pool.run(() => 1, { timeoutMs: '5' });
expectType<Promise<number>>(pool.run(() => 1, { runTimeoutMs: Infinity }));
// @ts-expect-error
pool.run(() => 1, { runTimeoutMs: '5' });
expectType<typeof pool>(pool.unref().ref());
WorkerPool.create('limited', { runTimeoutMs: 5 });

// A job's signal is one that the package takes itself.
declare const jobSignal: JobSignal;
expectAssignable<CancellationSignalLike>(jobSignal);
expectAssignable<RunOptions<Uint8Array>>({
  input: new Uint8Array(1),
  signal: AbortSignal.timeout(1),
  deadline: 5,
  timeoutMs: 5,
  transfer: [new ArrayBuffer(1)],
  onMessage: (value: { progress: number }) => value.progress,
  priority: 0,
});

expectAssignable<WorkerPoolOptions>({
  overflow: 'backpressure',
  maxBackpressureWaiters: 1,
  maxQueuedBytes: 1,
  memoryLimitMb: 64,
  maxPayloadBytes: 1,
  maxResultBytes: 1,
  maxModuleBytes: 1,
  codeCache: '/cache',
  maxMicrotasks: 1,
  cancelGraceMs: 1,
  cpuLimitMs: Infinity,
  isolation: 'context',
  allowEval: false,
  allowWasm: false,
});
expectAssignable<WorkerPoolOptions>({ runtime: 'thread', env: process.env });
expectAssignable<WorkerPoolOptions>({ runtime: 'thread', env: SHARE_ENV });
WorkerPool.create('p', {
  runtime: 'process',
  cwd: new URL('file:///tmp'),
  stdio(text, { fd, worker }) {
    expectType<string>(text);
    expectType<1 | 2>(fd);
    expectType<number>(worker);
  },
});
// @ts-expect-error no text
WorkerPool.create('p', { runtime: 'thread', env: { N: 1 } });
// @ts-expect-error wrong option
WorkerPool.create('p', { isolation: 'thread' });
// @ts-expect-error wrong option
WorkerPool.create('p', { overflow: 'drop' });
// @ts-expect-error not a class
new WorkerPool('p');

expectType<WorkerPoolState>(pool.state);
expectType<WorkQueueStats>(pool.state.queue.stats);
// @ts-expect-error readonly
pool.state.queue.queued = 1;
// @ts-expect-error readonly
pool.name = 'other';
expectType<Promise<void>>(pool.drain());
expectType<Promise<StopReport>>(pool.stop());
expectType<Promise<StopReport>>(pool.stop({ drain: false, timeoutMs: 100 }));
expectType<WorkerPool>(Sloppy.create().use(pool));

// Exports of a module, by name.
type Module = typeof import('./fixtures.js');
const tasks = WorkerPool.create<Module>('tasks', {
  module: new URL('file:///tasks.mjs'),
  workers: 4,
  minWorkers: 1,
  idleTimeoutMs: Infinity,
  recycleAfterJobs: 1000,
  concurrentJobsPerWorker: 4,
  recycleAboveMb: 64,
  order: 'priority',
  agingMs: 100,
  maxPerKey: 2,
  maxQueuedPerKey: 1000,
  affinity: true,
  host: {
    async lookUp(id: string) {
      expectType<number | undefined>(this.deadline?.remainingMs());
      return id.length;
    },
  },
});
expectType<Promise<string[]>>(tasks.invoke('parse', { text: 'a,b' }));
expectType<Promise<number>>(tasks.invoke('limited'));
expectType<Promise<number>>(tasks.invoke('limited', 5, { timeoutMs: 10 }));
expectType<Promise<number>>(tasks.tasks.limited(5));
// @ts-expect-error it takes a number
tasks.invoke('limited', 'five');
expectType<Promise<string[]>>(tasks.tasks.parse({ text: 'a,b' }));
expectType<Promise<number>>(tasks.tasks.count(['a'], { timeoutMs: 5 }));
expectType<Promise<'pong'>>(tasks.tasks.ping());
expectType<Promise<unknown>>(pool.invoke('anything', { at: 'all' }));
expectType<Promise<unknown>>(pool.tasks.anything({ at: 'all' }));
// @ts-expect-error no such export
tasks.invoke('parsed', { text: '' });
// @ts-expect-error not a function
tasks.tasks.version();
// @ts-expect-error wrong payload
tasks.tasks.parse({ text: 1 });
// @ts-expect-error the payload is missing
tasks.tasks.parse();
// @ts-expect-error a module's text is no function
WorkerPool.create('p', { host: { name: 'text' } });

async function streams(signal: AbortSignal) {
  for await (const value of pool.map([1, 2], ({ input }) => input.toFixed(), {
    concurrency: 2,
    signal,
  })) {
    expectType<string>(value);
  }
  async function* source() {
    yield { text: 'a,b' };
  }
  for await (const value of tasks.map(source(), 'parse')) {
    expectType<string[]>(value);
  }
  const later = [Promise.resolve(1), 2];
  for await (const value of pool.map(later, ({ input }) => input + 1, null)) {
    expectType<number>(value);
  }
  const stream = pool.stream(
    async function* ({ input }) {
      expectType<number>(input);
      yield 'text';
      return true;
    },
    { input: 5 },
  );
  expectType<IteratorResult<string, boolean>>(await stream.next());
  for await (const value of tasks.stream('lines', { input: { text: '' } })) {
    expectType<number>(value);
  }
  for await (const value of pool.stream('anything')) {
    expectType<unknown>(value);
  }
  // @ts-expect-error the source has other values
  tasks.map([1, 2], 'parse');
  // @ts-expect-error no generator
  pool.stream(() => 1);
}
expectType<Promise<void>>(streams(AbortSignal.timeout(1)));

expectType<WorkerPool>(pool.pause().resume().resize(2));
expectType<WorkerPool>(pool.on('drain', () => {}).once('idle', () => {}));
expectType<WorkerPool>(pool.on('workerStarted', () => {}));
expectType<WorkerPool>(pool.off('workerExit', () => {}));
pool.on('workerExit', (worker) => {
  expectType<WorkerIdentity>(worker);
  expectType<number>(worker.place + worker.number + worker.threadId);
});
pool.on('output', ({ worker, stream, text }) => {
  expectType<number>(worker);
  expectType<'stdout' | 'stderr'>(stream);
  expectType<string>(text);
});
expectType<Promise<void>>(pool.recycle());
expectType<Promise<number>>(
  pool.run(({ worker }) => worker.pid, { cancelGraceMs: 5 }),
);
WorkerPool.create('env', { env: ({ place }) => ({ PORT: `${place}` }) });
WorkerPool.create('env', { env: { PORT: '1' }, argv: ['x'], nice: 3 });
// @ts-expect-error no strings
WorkerPool.create('env', { env: () => ({ PORT: 1 }) });
expectType<Promise<{ bytes: Uint8Array<ArrayBuffer> }>>(
  pool.run(({ move }) => {
    const bytes = new Uint8Array(8);
    return move({ bytes }, [bytes.buffer]);
  }),
);
// @ts-expect-error no object
pool.run(({ move }) => move(5));
pool.run(({ modules }) => modules.path.sep, {
  modules: { path: 'node:path', own: new URL('file:///x.js') },
});
WorkerPool.create('init', {
  init: { module: new URL('file:///x.js'), data: { a: 1 }, timeoutMs: 5 },
});
// @ts-expect-error no path
WorkerPool.create('init', { init: { module: 1 } });
pool.on('error', (error, origin) => {
  expectType<unknown>(error);
  expectType<'uncaughtException' | 'unhandledRejection' | 'broadcast'>(origin);
});
// @ts-expect-error no such event
pool.on('drained', () => {});
expectType<boolean>(pool.needsDrain);
expectType<readonly WorkerIdentity[]>(pool.identities);
expectType<Promise<void>>(pool.onIdle());
expectType<Promise<number>>(
  pool.run(async ({ host }) => (await host.lookUp?.('id')) as number),
);

async function disposable() {
  await using scoped = WorkerPool.create('p');
  return scoped.state;
}
expectType<Promise<WorkerPoolState>>(disposable());

WorkerPool.create('clones', { payload: 'clone', runtime: 'thread' });
// @ts-expect-error
WorkerPool.create('clones', { payload: 'json' });
WorkerPool.create('threads', { runtime: 'thread' });
// @ts-expect-error
WorkerPool.create('threads', { runtime: 'fiber' });

expectType<Promise<void>>(prewarm());
expectType<Promise<void>>(prewarm({ spares: 0, memoryLimitMb: 64 }));
expectNotAssignable<Parameters<typeof prewarm>[0]>({ host: {} });
expectNotAssignable<Parameters<typeof prewarm>[0]>({ argv: ['x'] });

expectType<Promise<PromiseSettledResult<number>[]>>(
  pool.broadcast(({ input }) => input + 1, { input: 1, later: true }),
);
expectType<Promise<PromiseSettledResult<string[]>[]>>(
  tasks.broadcast('parse', { input: { text: '' }, timeoutMs: 5 }),
);
// @ts-expect-error no boolean
pool.broadcast(() => 1, { later: 'yes' });
// @ts-expect-error no such export
tasks.broadcast('parsed');

expectAssignable<SharedValue>(pool.share('table', { a: 1 }));
interface Prices {
  tea: number;
}
const priced = WorkerPool.create<Module, { shared: { prices: Prices } }>(
  'priced',
);
expectType<SharedValue<Prices>>(priced.share('prices', { tea: 1 }));
// @ts-expect-error no such name
priced.share('price', { tea: 1 });
// @ts-expect-error no Prices
priced.share('prices', { tee: 1 });
expectType<Promise<number>>(priced.run(({ shared }) => shared.prices.tea));
expectType<number | undefined>(priced.metrics().shared?.decodes);

pool.on('job', ({ name, cpuMs, outcome }) => {
  expectType<string | null>(name);
  expectType<number | null>(cpuMs);
  expectType<'completed' | 'failed' | 'cancelled' | 'timedOut'>(outcome);
});
pool.run(() => 1, { receipt: ({ runMs }) => expectType<number | null>(runMs) });
// @ts-expect-error no function
pool.run(() => 1, { receipt: true });
pool.run(() => 1, {
  key: 'tenant',
  weight: 3,
  receipt: ({ key }) => expectType<string | null>(key),
});
// @ts-expect-error no string
pool.run(() => 1, { key: 1 });
// @ts-expect-error no number
pool.run(() => 1, { key: 'tenant', weight: '3' });
