'use strict';
// The addon loaded by many worker_threads at once and again: each has pools of
// its own, in every state, and ends by itself, by terminate() or by exit().

const { isMainThread, parentPort, Worker, workerData } =
  require('node:worker_threads');
const { WorkerPool } = require('../../lib/index.js');

const ROUNDS = 6;
const AT_ONCE = 5;

async function inside() {
  const pool = WorkerPool.create('inside', { workers: 2 });
  const sum = await pool.run(({ input }) => input[0] + input[1], {
    input: [20, 22],
  });
  if (sum !== 42) throw new Error(`sum ${sum}`);
  const ignore = () => {};
  pool
    .run(() => {
      for (;;);
    })
    .catch(ignore);
  pool.run(() => new Promise(() => setInterval(() => {}, 1))).catch(ignore);
  for (let i = 0; i < 10; i++) pool.run(() => 1).catch(ignore);
  parentPort.postMessage(sum);
  if (workerData === 0) process.exit(0);
  if (workerData === 1) await pool.stop({ timeoutMs: 5 });
  if (workerData === 2) throw new Error('on purpose');
  if (workerData === 3) await new Promise((resolve) => setTimeout(resolve, 20));
  if (workerData === 3) process.exit(0);
}

async function outside() {
  const { assert, expectAlive, pass } = require('./support/check.js');
  const mine = WorkerPool.create('outside', { workers: 1 });
  for (let round = 0; round < ROUNDS; round++) {
    const ends = Array.from({ length: AT_ONCE }, (_, how) => {
      const worker = new Worker(__filename, { workerData: how });
      worker.on('error', (error) => {
        assert.strictEqual(error.message, 'on purpose');
      });
      worker.once('message', (sum) => {
        assert.strictEqual(sum, 42);
        if (how === 4) worker.terminate();
      });
      return new Promise((resolve) => {
        worker.once('exit', resolve);
      });
    });
    await Promise.all([...ends, expectAlive(mine, `round ${round}`)]);
  }
  await mine.stop();
  pass();
}

if (isMainThread) outside();
else inside();
