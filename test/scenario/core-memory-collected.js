// flags: --stress-compaction
'use strict';
// Memory that a job filled counts at its end also when it was collected by
// then: V8 collects before every larger allocation here.

const { WorkerPool, expectAlive, expectCode, pass } =
  require('./support/check.js');
const growing = require('./fixtures/broken-growing.js');

(async () => {
  const pool = WorkerPool.create('hungry', { workers: 1, memoryLimitMb: 32 });
  for (const [name, fn] of Object.entries(growing)) {
    console.log(name);
    await expectCode(name, pool.run(fn), 'ResourceLimit');
    await expectAlive(pool, name);
  }
  // Memory that it does not hold any more is free for the next one.
  await expectCode(
    'one after the other',
    pool.run(() => {
      for (let i = 0; i < 20; i++) new WebAssembly.Memory({ initial: 200 });
    }),
    'ok',
  );
  await pool.stop();
  pass();
})();
