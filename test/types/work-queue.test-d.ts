import { expectType } from 'tsd';
import { Sloppy } from '../../types/app.js';
import type { WorkerCancellationSignal } from '../../types/cancellation.js';
import {
  type OverflowPolicy,
  WorkQueue,
  type WorkQueueJob,
  type WorkQueueState,
} from '../../types/work-queue.js';

interface Order {
  id: string;
}

const plain = WorkQueue.create('plain');
expectType<WorkQueue<unknown, unknown>>(plain);
expectType<Promise<unknown>>(plain.enqueue({ any: ['thing'] }));

// The handler's types flow into enqueue.
const orders = WorkQueue.create('orders', {
  maxQueued: 10,
  overflow: 'backpressure',
  retry: { maxAttempts: 3, backoffMs: (attempt, _error) => attempt * 10 },
}).process(async (job: WorkQueueJob<Order>, { signal, deadline, attempt }) => {
  expectType<WorkerCancellationSignal>(signal);
  expectType<number | undefined>(deadline?.remainingMs());
  expectType<number>(attempt);
  return job.data.id.length;
});
expectType<WorkQueue<Order, number>>(orders);
expectType<Promise<number>>(orders.enqueue({ id: 'a' }));
// @ts-expect-error wrong payload
orders.enqueue({ id: 1 });

// Types given to create do the same.
const typed = WorkQueue.create<Order, string>('typed');
typed.process((job) => {
  expectType<Order>(job.data);
  return job.data.id;
});
// @ts-expect-error wrong result
typed.process(() => 1);
expectType<Promise<string>>(
  typed.enqueue({ id: 'a' }, { signal: AbortSignal.timeout(5), timeoutMs: 9 }),
);

// @ts-expect-error wrong option
WorkQueue.create('q', { overflow: 'drop' });
// @ts-expect-error no such signal
plain.enqueue(1, { signal: null });
// @ts-expect-error not a class
new WorkQueue('q');
// @ts-expect-error readonly
plain.name = 'other';

expectType<WorkQueueState>(plain.state);
expectType<OverflowPolicy>(plain.state.overflow);
expectType<number>(plain.state.stats.retryExhausted);
plain.enqueue(1, { runTimeoutMs: 5 });
WorkQueue.create('limited', { runTimeoutMs: 5 });
expectType<Promise<void>>(plain.stop({ drain: false, timeoutMs: 100 }));
expectType<Promise<void>>(plain.drain());
expectType<WorkQueue<Order, number>>(Sloppy.create().use(orders));

async function disposable() {
  await using queue = WorkQueue.create('q');
  return queue.state;
}
expectType<Promise<WorkQueueState>>(disposable());
