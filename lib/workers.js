'use strict';
// The module `sloppy/workers`: exactly these seven names.

const { lazyExports } = require('./base/lazy-exports.js');

const cancellation = () => require('./signals/cancellation.js');

// These names serve `import()`: see index.js.
// biome-ignore lint/suspicious/noAssignInExpressions: the reader of names wants it
const all = (module.exports = {
  BackgroundService: undefined,
  SloppyWorkerError: undefined,
  Worker: undefined,
  WorkerCancellationController: undefined,
  WorkerCancellationSignal: undefined,
  WorkerPool: undefined,
  WorkQueue: undefined,
});

lazyExports(all, {
  BackgroundService: () => require('./app/background-service.js'),
  SloppyWorkerError: () => require('./protocol/sloppy-worker-error.js'),
  Worker: () => require('./pool/worker.js'),
  WorkerCancellationController: cancellation,
  WorkerCancellationSignal: cancellation,
  WorkerPool: () => require('./pool/worker-pool.js'),
  WorkQueue: () => require('./pool/work-queue.js'),
});
