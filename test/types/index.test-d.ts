import { expectAssignable, expectType } from 'tsd';
import type {
  AppState,
  BackgroundServiceOptions,
  CancellationSignalLike,
  DeadlineLike,
  IsolateOptions,
  JobOptions,
  OperationOptions,
  RetryOptions,
  StopOptions,
  WorkQueueOptions,
} from '../../types/index.js';
import {
  CancellationController,
  CancelledError,
  Deadline,
  InvalidDeadlineError,
  type Sloppy,
  SloppyWorkerError,
  type SloppyWorkerErrorCode,
  type Time,
  TimeoutError,
  TimerDisposedError,
} from '../../types/index.js';
import all, * as esm from '../../types/index.mjs';
import * as time from '../../types/time.mjs';
import * as workers from '../../types/workers.mjs';

// One class, whatever it is imported from.
expectType<typeof SloppyWorkerError>(esm.SloppyWorkerError);
expectType<typeof SloppyWorkerError>(all.SloppyWorkerError);
expectType<typeof SloppyWorkerError>(workers.SloppyWorkerError);
expectType<typeof Deadline>(time.Deadline);
expectType<typeof Time>(esm.Time);
expectType<typeof Sloppy>(esm.Sloppy);
expectAssignable<object>([
  workers.BackgroundService,
  workers.WorkQueue,
  workers.WorkerPool,
  workers.Worker,
  workers.WorkerCancellationController,
  workers.WorkerCancellationSignal,
]);
// @ts-expect-error part of `sloppy/time`
workers.Time;

expectAssignable<Error[]>([
  new CancelledError(),
  new InvalidDeadlineError(),
  new TimeoutError(),
  new TimerDisposedError(),
  new SloppyWorkerError('SLOPPY_E_WORKER_CRASHED', 'worker crashed', {
    cause: 1,
  }),
]);
// @ts-expect-error not one of the codes
new SloppyWorkerError('SLOPPY_E_OTHER');
expectType<AbortSignal['aborted']>(new CancellationController().signal.aborted);

// A switch over the codes can be seen to be complete.
function retryable(code: SloppyWorkerErrorCode): boolean {
  switch (code) {
    case 'SLOPPY_E_WORK_QUEUE_FULL':
    case 'SLOPPY_E_WORK_JOB_CANCELLED':
    case 'SLOPPY_E_WORK_JOB_TIMEOUT':
    case 'SLOPPY_E_WORK_JOB_FAILED':
    case 'SLOPPY_E_WORKER_POOL_UNAVAILABLE':
    case 'SLOPPY_E_WORKER_POOL_SATURATED':
    case 'SLOPPY_E_WORKER_CRASHED':
    case 'SLOPPY_E_WORKER_SHUTDOWN_CANCELLED':
      return true;
    case 'SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE':
    case 'SLOPPY_E_BACKGROUND_SERVICE_START_FAILED':
    case 'SLOPPY_E_BACKGROUND_SERVICE_FAILED':
    case 'SLOPPY_E_WORK_QUEUE_STOPPED':
    case 'SLOPPY_E_WORK_RETRY_EXHAUSTED':
    case 'SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE':
    case 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED':
    case 'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED':
    case 'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED':
    case 'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD':
    case 'SLOPPY_E_WORKER_STALE_HANDLE':
    case 'SLOPPY_E_SQLITE_STORE_FAILED':
      return false;
    default:
      expectType<never>(code);
      return false;
  }
}
expectType<boolean>(retryable('SLOPPY_E_WORK_QUEUE_FULL'));

// Every option bag has a name, and all of its keys may be left out.
expectAssignable<AppState>('running');
expectAssignable<CancellationSignalLike>({ cancelled: false });
expectAssignable<DeadlineLike>(Deadline.never());
expectAssignable<
  BackgroundServiceOptions &
    IsolateOptions &
    JobOptions &
    OperationOptions &
    RetryOptions &
    StopOptions &
    WorkQueueOptions
>({});
