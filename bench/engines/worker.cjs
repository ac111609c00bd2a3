'use strict';
// A worker process of one kind: node worker.cjs <kind> <where> <queue> <n>.
// Tells its parent of the first job, and of the event loop when it is asked.

const path = require('node:path');
const { monitorEventLoopDelay, performance } = require('node:perf_hooks');

const [, , kind, where, name, concurrency] = process.argv;
const file = path.join(__dirname, 'job.cjs');
const options = {
  concurrency: Number(concurrency),
  maxStalledCount: 5,
  removeOnComplete: { count: 0 },
};

function adapter(runtime) {
  const { processor } = require('../../lib/adapters/bullmq.js');
  return processor(file, { workers: options.concurrency, runtime });
}

function bullmqWorker() {
  const { Worker } = require('bullmq');
  const connection = {
    host: '127.0.0.1',
    port: Number(where),
    maxRetriesPerRequest: null,
  };
  const make = (run, more) =>
    new Worker(name, run, { ...options, ...more, connection });
  const kinds = {
    'in-process': () => make(require('./job.cjs')),
    'waits only': () =>
      make((job) => new Promise((done) => setTimeout(done, job.data.ms))),
    'sandbox process': () => make(file),
    'sandbox threads': () => make(file, { useWorkerThreads: true }),
    isolate: () => {
      const run = adapter('isolate');
      return run.attach(make(run));
    },
    thread: () => {
      const run = adapter('thread');
      return run.attach(make(run));
    },
  };
  return kinds[kind]();
}

/** On a file; `file none` computes nothing. */
function fileWorker() {
  const { Worker } = require('bullmq');
  const { createSqliteBackend } = require('../../lib/adapters/sqlite.js');
  const run = kind === 'file' ? adapter('isolate') : async () => 1;
  const connection = { file: where };
  const worker = new Worker(
    name,
    run,
    { ...options, connection },
    createSqliteBackend,
  );
  return kind === 'file' ? run.attach(worker) : worker;
}

// Modules that every kind needs are loaded: what is measured is its start.
require('bullmq');
if (kind.startsWith('file')) require('../../lib/adapters/sqlite.js');
require('../../lib/adapters/bullmq.js');
const began = performance.now();
const worker = kind.startsWith('file') ? fileWorker() : bullmqWorker();
worker.on('error', () => {});
const loop = monitorEventLoopDelay({ resolution: 1 });
let completed = 0;
worker.on('completed', () => {
  completed += 1;
  if (completed === 1) process.send({ firstMs: performance.now() - began });
});
process.on('message', (question) => {
  if (question === 'reset') {
    loop.reset();
    loop.enable();
    process.send({ isReset: true });
  } else if (question === 'loop') {
    process.send({ loopP99Ms: loop.percentile(99) / 1e6 });
  }
});
process.on('disconnect', () => process.exit());
