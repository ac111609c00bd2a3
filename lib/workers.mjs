// Re-exports only, so that `import` and `require` share one instance.
import workers from './workers.js';

export const {
  BackgroundService,
  SloppyWorkerError,
  Worker,
  WorkerCancellationController,
  WorkerCancellationSignal,
  WorkerPool,
  WorkQueue,
} = workers;
