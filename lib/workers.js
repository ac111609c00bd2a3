'use strict';
// The module `sloppy/workers`: exactly these seven names.

const { lazyExports } = require('./internal/lazy-exports.js');

const cancellation = () => require('./cancellation.js');

// For `import()`: see index.js.
module.exports = {
  BackgroundService: undefined,
  SloppyWorkerError: undefined,
  Worker: undefined,
  WorkerCancellationController: undefined,
  WorkerCancellationSignal: undefined,
  WorkerPool: undefined,
  WorkQueue: undefined,
};

lazyExports(module.exports, {
  BackgroundService: () => require('./background-service.js'),
  SloppyWorkerError: () => require('./sloppy-worker-error.js'),
  Worker: () => require('./worker.js'),
  WorkerCancellationController: cancellation,
  WorkerCancellationSignal: cancellation,
  WorkerPool: () => require('./worker-pool.js'),
  WorkQueue: () => require('./work-queue.js'),
});
