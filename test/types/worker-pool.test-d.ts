import { expectAssignable, expectType } from 'tsd';
import {
  type CancellationSignalLike,
  type JobContext,
  type JobDeadline,
  type JobSignal,
  type RunOptions,
  Sloppy,
  type StopReport,
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
  maxMicrotasks: 1,
  cancelGraceMs: 1,
  cpuLimitMs: Infinity,
  isolation: 'context',
  allowEval: false,
  allowWasm: false,
});
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

async function disposable() {
  await using scoped = WorkerPool.create('p');
  return scoped.state;
}
expectType<Promise<WorkerPoolState>>(disposable());
