'use strict';
// Messages of a job arrive in order and before its end, whatever the pressure;
// a job that never stops sending neither starves nor fills the owner.

const { WorkerPool, assert, expectAlive, expectCode, pass } =
  require('./support/check.js');

async function inOrderBeforeTheEnd() {
  const pool = WorkerPool.create('messages', {
    workers: 2,
    maxQueued: 4,
    overflow: 'backpressure',
    maxBackpressureWaiters: 10_000,
  });
  const jobs = Array.from({ length: 3000 }, async (_, id) => {
    const seen = [];
    let over = false;
    const count = await pool.run(
      ({ input, emit }) => {
        const n = input % 5;
        for (let i = 0; i < n; i++) emit([input, i]);
        return n;
      },
      {
        input: id,
        onMessage: (value) => {
          assert.ok(!over);
          seen.push(value);
        },
      },
    );
    over = true;
    assert.deepStrictEqual(
      seen,
      Array.from({ length: count }, (_, i) => [id, i]),
    );
  });
  await Promise.all(jobs);
  await pool.stop();
}

async function floodIsBounded() {
  const pool = WorkerPool.create('flood', { workers: 2 });
  let received = 0;
  let turns = 0;
  const turn = setInterval(() => {
    turns += 1;
  }, 1);
  const flood = ({ emit }) => {
    const text = 'x'.repeat(100_000);
    for (;;) emit(text + text);
  };
  const onMessage = () => {
    received += 1;
  };
  const late = (label) =>
    expectCode(
      label,
      pool.run(flood, { timeoutMs: 400, onMessage }),
      'JobTimeout',
    );
  // Workers that were slow to start have sent nothing in that time.
  while (received === 0 || turns === 0) {
    await Promise.all([late('1'), late('2')]);
  }
  clearInterval(turn);
  await expectAlive(pool, 'flood');

  // The owner does not read at all: the worker waits, and its limit holds.
  const before = process.memoryUsage().rss;
  const stuck = pool.run(flood, { timeoutMs: 200, onMessage });
  stuck.catch(() => {});
  const until = performance.now() + 600;
  while (performance.now() < until);
  const grown = (process.memoryUsage().rss - before) / 2 ** 20;
  assert.ok(grown < 200, `grown by ${grown} MB`);
  await expectCode('3', stuck, 'JobTimeout');
  await expectAlive(pool, 'stuck');
  await pool.stop();
}

async function stopWhileAWorkerWaitsToSend() {
  const pool = WorkerPool.create('flood', { workers: 1 });
  const flood = pool.run(({ emit }) => {
    for (;;) emit(1);
  });
  flood.catch(() => {});
  const { forced } = await pool.stop({ timeoutMs: 50 });
  assert.strictEqual(forced, 1);
  await expectCode('flood', flood, 'ShutdownCancelled');
}

(async () => {
  await inOrderBeforeTheEnd();
  await floodIsBounded();
  await stopWhileAWorkerWaitsToSend();
  // Messages that are sent and not read when the process ends.
  WorkerPool.create('left').run(({ emit }) => {
    for (;;) emit(1);
  });
  pass();
  setTimeout(() => process.exit(0), 50);
})();
