'use strict';
// The name is that which applications of Sloppy import.

const assert = require('node:assert');
const { Sloppy, SloppyWorkerError, WorkerPool } = require('sloppy');
const workers = require('sloppy/workers');
const { Deadline } = require('sloppy/time');

async function main() {
  assert.strictEqual(workers.SloppyWorkerError, SloppyWorkerError);
  assert.strictEqual(Object.keys(workers).length, 7);
  assert.ok(Deadline.after(0).expired);
  const imported = await import('sloppy/workers');
  assert.strictEqual(imported.WorkQueue, workers.WorkQueue);
  const queue = Sloppy.create().use(workers.WorkQueue.create('queue'));
  queue.process((job) => job.data * 2);
  assert.strictEqual(await queue.enqueue(21), 42);
  assert.strictEqual(await WorkerPool.create('pool').run(() => 42), 42);
  console.log('pass');
}

main();
