'use strict';
// Everything of `sloppy`, `sloppy/workers` and `sloppy/time`.

const { lazyExports } = require('./base/lazy-exports.js');

const time = () => require('./time.js');
const workers = () => require('./workers.js');

// The names stand here for `import()` of this file, which finds them by reading
// its text (cjs-module-lexer). Each value comes when it is asked for. Not by
// `module.exports` below, which is another object in Vitest (server.deps.inline).
// biome-ignore lint/suspicious/noAssignInExpressions: the reader of names wants it
const all = (module.exports = {
  BackgroundService: undefined,
  SloppyWorkerError: undefined,
  Worker: undefined,
  WorkerCancellationController: undefined,
  WorkerCancellationSignal: undefined,
  WorkerPool: undefined,
  WorkQueue: undefined,
  CancellationController: undefined,
  CancelledError: undefined,
  Deadline: undefined,
  InvalidDeadlineError: undefined,
  Time: undefined,
  TimeoutError: undefined,
  TimerDisposedError: undefined,
  Sloppy: undefined,
  openInspector: undefined,
  prewarm: undefined,
});

lazyExports(all, {
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
  Sloppy: () => require('./app/app.js'),
  openInspector: () => require('./inspector/open-inspector.js'),
  prewarm: () => require('./pool/prewarm.js'),
});
