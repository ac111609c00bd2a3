// flags: --expose-gc
'use strict';
// Pools that nobody can reach let their threads go, but only when everything
// they were asked for is done.

const { readdirSync } = require('node:fs');
const { setImmediate: turn } = require('node:timers/promises');
const { WorkerPool, assert, pass } = require('./support/check.js');

const threads = () => readdirSync('/proc/self/task').length;

/** Waits as long as it takes: this scenario's limit finds what is kept. */
async function collectUntil(reached) {
  while (!reached()) {
    global.gc();
    await turn();
  }
}

async function warm() {
  const pool = WorkerPool.create('warm', { workers: 2 });
  await Promise.all([pool.run(() => 1), pool.run(() => 1)]);
  await pool.stop();
}

async function dropIdle(count) {
  for (let i = 0; i < count; i++) {
    const pool = WorkerPool.create('dropped', { workers: 2 });
    await Promise.all([pool.run(() => 1), pool.run(() => 1)]);
  }
}

function dropBusy() {
  const pool = WorkerPool.create('busy', {
    workers: 1,
    maxQueued: 2,
    overflow: 'backpressure',
    maxBackpressureWaiters: 100,
  });
  return Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      pool.run(
        async ({ input }) => {
          await new Promise((resolve) => setTimeout(resolve, 2));
          return input;
        },
        { input: i },
      ),
    ),
  );
}

(async () => {
  if (process.platform !== 'linux') {
    pass();
    return;
  }
  await warm();
  const before = threads();
  await dropIdle(5);
  assert.ok(threads() > before, 'the threads were there');
  console.log('idle pools');
  await collectUntil(() => threads() <= before);

  let over = false;
  const busy = dropBusy().finally(() => {
    over = true;
  });
  await collectUntil(() => over);
  assert.deepStrictEqual(
    await busy,
    Array.from({ length: 50 }, (_, i) => i),
  );
  console.log('busy pools');
  await collectUntil(() => threads() <= before);
  pass();
})();
