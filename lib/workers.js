'use strict';
// The module `sloppy/workers`: exactly these seven names.

const { lazyExports } = require('./internal/lazy-exports.js');

const cancellation = () => require('./cancellation.js');

module.exports = lazyExports({
  BackgroundService: () => require('./background-service.js'),
  SloppyWorkerError: () => require('./sloppy-worker-error.js'),
  Worker: () => require('./worker.js'),
  WorkerCancellationController: cancellation,
  WorkerCancellationSignal: cancellation,
  WorkerPool: () => require('./worker-pool.js'),
  WorkQueue: () => require('./work-queue.js'),
});
