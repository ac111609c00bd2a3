'use strict';
// Every way to take too much memory ends that job with the resource limit's
// code; jobs behind it, their worker and the process live on.

const { liveCounts } = require('../../lib/addon/load.js');
const { WorkerPool, assert, expectAlive, expectCode, pass } =
  require('./support/check.js');
const hungry = {
  ...require('./fixtures/broken-hungry.js'),
  ...require('./fixtures/broken-growing.js'),
};

(async () => {
  const only = process.argv[2];
  const pool = WorkerPool.create('hungry', { workers: 1, memoryLimitMb: 32 });
  for (const [name, fn] of Object.entries(hungry)) {
    if (only !== undefined && name !== only) continue;
    console.log(name);
    const begun = performance.now();
    const job = pool.run(fn);
    // Waiting for the same worker: must not be lost.
    const behind = pool.run(({ input }) => input, { input: name });
    await expectCode(name, job, 'ResourceLimit');
    assert.strictEqual(await behind, name);
    await expectAlive(pool, name);
    // The thread of one that was not ended would sleep on with all it took.
    assert.strictEqual(liveCounts().workers, 1, name);
    const mb = Math.round(process.memoryUsage().rss / 2 ** 20);
    console.log(Math.round(performance.now() - begun), 'ms', mb, 'MB');
  }
  // A built-in that never looks whether it is to end: only its thread is lost.
  const endless = pool.run(() => Array.from({ length: 1e8 }).length);
  await expectCode('Array.from', endless, 'ResourceLimit');
  await expectAlive(pool, 'Array.from');
  await pool.stop();
  pass();
})();
