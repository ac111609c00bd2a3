'use strict';
// The same programs, ended by the caller's signal; with a grace period too.

const {
  NO_BOUND,
  WorkerPool,
  assert,
  expectAlive,
  expectCode,
  pass,
  started,
} = require('./support/check.js');
const endless = require('./fixtures/broken-endless.js');

(async () => {
  for (const cancelGraceMs of [0, 20]) {
    const pool = WorkerPool.create('killers', {
      workers: 1,
      cancelGraceMs,
      maxMicrotasks: NO_BOUND,
    });
    const only = process.argv[2];
    for (const [name, fn] of Object.entries(endless)) {
      if (only !== undefined && name !== only) continue;
      console.log(name, cancelGraceMs);
      const abort = new AbortController();
      const { promise } = await started(pool, fn, { signal: abort.signal });
      abort.abort();
      await expectCode(name, promise, 'JobCancelled');
      await expectAlive(pool, name);
    }
    assert.strictEqual(pool.state.queue.active, 0);
    await pool.stop();
  }
  pass();
})();
