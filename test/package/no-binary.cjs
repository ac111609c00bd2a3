'use strict';
// Installed without its optional dependencies: what needs no isolate works,
// and the error of the rest ends with the command to build from source.

const assert = require('node:assert');
const { WorkerPool, WorkQueue } = require('sloppy-workers');

async function main() {
  const queue = WorkQueue.create('queue');
  queue.process((job) => job.data * 2);
  assert.strictEqual(await queue.enqueue(21), 42);
  await assert.rejects(
    WorkerPool.create('pool').run(() => 42),
    (error) => {
      assert.strictEqual(error.code, 'SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE');
      console.log(error.message);
      return true;
    },
  );
}

main();
