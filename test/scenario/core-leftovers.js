'use strict';
// The leftovers of a job, timers and handlers that never end, keep neither the
// next job nor the end of the pool waiting.

const {
  createMessageWorker,
} = require('../../lib/message-worker/message-worker.js');
const { WorkerPool, assert, pass } = require('./support/check.js');

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const LEFTOVERS = {
  timer() {
    setTimeout(() => {
      for (;;);
    }, 5);
  },
  immediate() {
    setImmediate(() => {
      for (;;);
    });
  },
  microtasksOfATimer() {
    setTimeout(() => {
      const again = () => queueMicrotask(again);
      again();
    }, 5);
  },
};

async function leave(name, isolation) {
  const pool = WorkerPool.create(name, { workers: 1, isolation });
  await pool.run(LEFTOVERS[name]);
  await wait(20);
  const answers = [1, 2, 3].map((n) =>
    pool.run(({ input }) => input, { input: n }),
  );
  assert.deepStrictEqual(await Promise.all(answers), [1, 2, 3]);
  await pool.run(LEFTOVERS[name]);
  await wait(20);
  await pool.stop({ timeoutMs: 100 });
}

async function handler() {
  const worker = createMessageWorker({
    runtime: 'isolate',
    source:
      "require('node:worker_threads').parentPort.on('message', () => { for (;;); });",
  });
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  await new Promise((resolve) => worker.once('online', resolve));
  worker.postMessage(1);
  await wait(20);
  worker.terminate();
  assert.strictEqual(await exited, 1);
}

(async () => {
  for (const isolation of ['worker', 'context', 'isolate']) {
    for (const name of Object.keys(LEFTOVERS)) await leave(name, isolation);
  }
  await handler();
  pass();
})();
