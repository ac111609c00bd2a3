'use strict';
// stop() ends them as well, one pool each, and says that it was forced.

const { NO_BOUND, WorkerPool, assert, expectCode, pass, started } =
  require('./support/check.js');
const endless = require('./fixtures/broken-endless.js');

(async () => {
  const only = process.argv[2];
  for (const [name, fn] of Object.entries(endless)) {
    if (only !== undefined && name !== only) continue;
    console.log(name);
    const pool = WorkerPool.create('killers', {
      workers: 1,
      maxMicrotasks: NO_BOUND,
    });
    const { promise } = await started(pool, fn);
    const queued = pool.run(() => 1);
    queued.catch(() => {});
    const counts = await pool.stop({ timeoutMs: 10 });
    assert.deepStrictEqual(counts, { cancelled: 0, forced: 2 }, name);
    await expectCode(name, promise, 'ShutdownCancelled');
    await expectCode(name, queued, 'ShutdownCancelled');
    await expectCode(
      name,
      pool.run(() => 1),
      'QueueStopped',
    );
  }
  pass();
})();
