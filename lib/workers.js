'use strict';
// The module `sloppy/workers`: exactly these seven names.

const { BackgroundService } = require('./background-service.js');
const {
  WorkerCancellationController,
  WorkerCancellationSignal,
} = require('./cancellation.js');
const { SloppyWorkerError } = require('./sloppy-worker-error.js');
const { Worker } = require('./worker.js');
const { WorkerPool } = require('./worker-pool.js');
const { WorkQueue } = require('./work-queue.js');

module.exports = {
  BackgroundService,
  SloppyWorkerError,
  Worker,
  WorkerCancellationController,
  WorkerCancellationSignal,
  WorkerPool,
  WorkQueue,
};
