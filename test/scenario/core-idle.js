'use strict';
// An idle pool, an unused one and one whose workers left timers behind do not
// hold the process.

const { WorkerPool, assert, pass } = require('./support/check.js');

(async () => {
  WorkerPool.create('unused', { workers: 2 });
  const pool = WorkerPool.create('idle', { workers: 2 });
  assert.strictEqual(await pool.run(() => 1), 1);
  await pool.run(() => {
    setInterval(() => {}, 10);
  });
  const stopped = WorkerPool.create('stopped');
  await stopped.run(() => 1);
  await stopped.stop();
  await stopped.stop();
  pass();
})();
