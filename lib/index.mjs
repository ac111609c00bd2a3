// Re-exports only, so that `import` and `require` share one instance.
import all from './index.js';

export const {
  BackgroundService,
  CancellationController,
  CancelledError,
  Deadline,
  InvalidDeadlineError,
  Sloppy,
  SloppyWorkerError,
  Time,
  TimeoutError,
  TimerDisposedError,
  Worker,
  WorkerCancellationController,
  WorkerCancellationSignal,
  WorkerPool,
  WorkQueue,
  openInspector,
  prewarm,
} = all;
export default all;
