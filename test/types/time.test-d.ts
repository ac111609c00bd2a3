import { expectAssignable, expectType } from 'tsd';
import type {
  CancellationSignalLike,
  OperationOptions,
} from '../../types/cancellation.js';
import { WorkerCancellationController } from '../../types/cancellation.js';
import {
  CancellationController,
  type CancellationSignal,
  CancelledError,
  Deadline,
  type FakeClock,
  type ScheduledJob,
  type Tick,
  Time,
  TimeoutError,
} from '../../types/time.js';
import type { WorkQueueContext } from '../../types/work-queue.js';

// Signals of every kind, and nothing else.
expectAssignable<CancellationSignalLike>(new AbortController().signal);
expectAssignable<CancellationSignalLike>(AbortSignal.timeout(5));
expectAssignable<CancellationSignalLike>(
  new WorkerCancellationController().signal,
);
expectAssignable<CancellationSignalLike>(new CancellationController().signal);
expectAssignable<CancellationSignalLike>({ cancelled: false });
// @ts-expect-error wrong type
expectAssignable<CancellationSignalLike>({});
// @ts-expect-error wrong type
expectAssignable<CancellationSignalLike>({ aborted: 'no' });

expectAssignable<OperationOptions>({ deadline: Deadline.after(5) });
expectAssignable<OperationOptions>({ deadline: 5, timeoutMs: 5 });
expectAssignable<OperationOptions>({ deadline: { remainingMs: () => 5 } });
// @ts-expect-error wrong type
expectAssignable<OperationOptions>({ deadline: new Date() });
// @ts-expect-error wrong type
expectAssignable<OperationOptions>({ timeoutMs: '5' });

expectType<Deadline>(Deadline.at(new Date()));
expectType<number>(Deadline.never().remainingMs());
// @ts-expect-error deadlines come from the factories only
new Deadline();
// @ts-expect-error wrong type
Deadline.after('5s');

expectType<boolean>(new CancellationController().cancel());
expectType<CancellationController>(
  CancellationController.linked(new AbortController().signal),
);
// @ts-expect-error wrong type
new CancellationController({ signal: 1 });

expectType<Promise<void>>(Time.delay(5, { deadline: Deadline.never() }));
// @ts-expect-error wrong type
Time.delay('5s');

expectType<Promise<number>>(
  Time.timeout(
    (signal) => {
      expectType<CancellationSignal>(signal);
      return 5;
    },
    { afterMs: 5 },
  ),
);
expectType<Promise<string>>(
  Time.timeout(Promise.resolve('text'), { afterMs: 5 }),
);
// @ts-expect-error wrong type
Time.timeout(Promise.resolve(5));

async function loop() {
  for await (const tick of Time.interval('2.5m', { maxTicks: 3 })) {
    expectType<Tick>(tick);
    expectType<Date>(tick.at);
  }
}
expectType<Promise<void>>(loop());
// @ts-expect-error wrong type
Time.interval('5 days');

expectType<ScheduledJob>(
  Time.every(5, async ({ run, signal }) => {
    expectType<number>(run);
    signal.throwIfCancelled();
  }),
);
// @ts-expect-error wrong type
Time.every(5, () => {}, { missedRunPolicy: 'burst' });

expectType<FakeClock>(Time.fakeClock({ now: new Date() }));
expectType<'system'>(Time.systemClock().kind);
Time.delay(5, { clock: Time.fakeClock() });
Time.interval(5, { clock: Time.systemClock() });
// @ts-expect-error wrong type
Time.interval(5, { clock: { delay: async () => {} } });

expectType<'TimeoutError'>(new TimeoutError().name);
expectType<unknown>(new CancelledError('text', { reason: 5 }).reason);

// A context's deadline may be undefined, and is passed on as it is.
declare const context: WorkQueueContext;
expectType<Promise<void>>(
  Time.delay(1, { deadline: context.deadline, signal: context.signal }),
);
