// flags: --expose-gc
'use strict';
// A million jobs, and thousands of pools, leave memory where it was.
//   node --expose-gc core-million.js [jobs] [pools]

const { WorkerPool, assert, pass } = require('./support/check.js');

const jobs = Number(process.argv[2] ?? 1_000_000);
const pools = Number(process.argv[3] ?? 300);
const megabytes = () => process.memoryUsage().rss / 2 ** 20;
const MOST_ROUNDS = 4;

/**
 * V8 lets its young generation grow under load, once: by 200 MB on Node 24,
 * however many jobs follow. A leak grows with every round.
 */
async function expectNoLeak(label, mostMb, round) {
  let grown = Infinity;
  let rounds = 0;
  while (grown >= mostMb && rounds < MOST_ROUNDS) {
    global.gc();
    const before = megabytes();
    await round();
    rounds += 1;
    global.gc();
    grown = megabytes() - before;
    console.log(`${label}: ${grown.toFixed(1)} MB`);
  }
  assert.ok(grown < mostMb, `still grown by ${grown} MB`);
  return rounds;
}

async function run(pool, count) {
  let left = count;
  let sum = 0;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      const more = await pool.run(({ input }) => input + 1, { input: 1 });
      sum += more;
    }
  };
  await Promise.all(Array.from({ length: 256 }, lane));
  return sum;
}

(async () => {
  const pool = WorkerPool.create('million', { workers: 2, maxQueued: 512 });
  const rounds = await expectNoLeak(`${jobs} jobs`, 40, async () => {
    assert.strictEqual(await run(pool, jobs), jobs * 2);
  });
  assert.strictEqual(pool.state.queue.stats.completed, jobs * rounds);
  await pool.stop();

  const cycle = async (count) => {
    for (let i = 0; i < count; i++) {
      const one = WorkerPool.create('one');
      assert.strictEqual(await one.run(() => 1), 1);
      await one.stop();
    }
  };
  await cycle(100);
  await expectNoLeak(`${pools} pools`, 30, () => cycle(pools));
  pass();
})();
