// flags: --expose-gc
'use strict';
// Nothing keeps a pool that was stopped, though its own options refer to it.

const { WorkerPool, assert, pass } = require('./support/check.js');

const POOLS = 10;

async function useAndStop() {
  let pool;
  const host = { name: () => pool.name };
  pool = WorkerPool.create('stopped', { host });
  pool.on('error', () => pool.name);
  const name = await pool.run(({ host: own }) => own.name(), {
    onMessage: () => pool.name,
  });
  assert.strictEqual(name, 'stopped');
  await pool.stop();
  return new WeakRef(pool);
}

(async () => {
  const pools = [];
  for (let i = 0; i < POOLS; i++) pools.push(await useAndStop());
  // The last one may still be in somebody's hands. If others are kept, this
  // goes on until the scenario's limit.
  while (pools.filter((pool) => pool.deref() !== undefined).length > 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    global.gc();
  }
  pass();
})();
