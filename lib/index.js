'use strict';
// Everything of `sloppy`, `sloppy/workers` and `sloppy/time`.

const { lazyExports } = require('./internal/lazy-exports.js');

const time = () => require('./time.js');
const workers = () => require('./workers.js');

module.exports = lazyExports({
  BackgroundService: workers,
  SloppyWorkerError: workers,
  Worker: workers,
  WorkerCancellationController: workers,
  WorkerCancellationSignal: workers,
  WorkerPool: workers,
  WorkQueue: workers,
  CancellationController: time,
  CancelledError: time,
  Deadline: time,
  InvalidDeadlineError: time,
  Time: time,
  TimeoutError: time,
  TimerDisposedError: time,
  Sloppy: () => require('./app.js'),
  prewarm: () => require('./prewarm.js'),
});
