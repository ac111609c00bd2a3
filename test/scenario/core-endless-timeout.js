'use strict';
// The time limit of a job ends it, whatever it does not to end, and the worker
// goes on.

const {
  WorkerPool,
  expectAlive,
  expectCode,
  pass,
} = require('./support/check.js');
const endless = require('./fixtures/broken-endless.js');

(async () => {
  const pool = WorkerPool.create('killers', { workers: 1 });
  const only = process.argv[2];
  for (const [name, fn] of Object.entries(endless)) {
    if (only !== undefined && name !== only) continue;
    console.log(name);
    await expectCode(name, pool.run(fn, { timeoutMs: 60 }), 'JobTimeout');
    await expectAlive(pool, name);
  }
  await pool.stop();
  pass();
})();
