'use strict';
// A Worker of Node's own that loads the library, is busy, and ends somehow.

const { workerData } = require('node:worker_threads');
const { WorkerPool } = require('../../lib/index.js');

const ignore = () => {};
const pool = WorkerPool.create('inside', { workers: 2 });

(async () => {
  await pool.run(() => 1);
  for (let i = 0; i < 5; i++) {
    pool
      .run(() => {
        for (;;);
      })
      .catch(ignore);
    pool.run(() => i).catch(ignore);
  }
  if (workerData === 0) process.exit(0);
  if (workerData === 1) await pool.stop({ timeoutMs: 5 });
  if (workerData === 2) throw new Error('on purpose');
  setTimeout(() => process.exit(0), 100);
})();
