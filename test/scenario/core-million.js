// limit: 240 s
// flags: --expose-gc
'use strict';
// A million jobs, and thousands of pools, leave memory where it was.
//   node --expose-gc core-million.js [jobs] [pools]

const { WorkerPool, assert, pass } = require('./support/check.js');

const jobs = Number(process.argv[2] ?? 1_000_000);
const pools = Number(process.argv[3] ?? 300);
const megabytes = () => process.memoryUsage().rss / 2 ** 20;

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
  // V8 lets its young generation grow under load, once: by 200 MB on Node 24,
  // however many jobs follow. A leak grows with every round.
  let rounds = 0;
  let grown = Infinity;
  while (grown >= 40 && rounds < 4) {
    global.gc();
    const before = megabytes();
    assert.strictEqual(await run(pool, jobs), jobs * 2);
    rounds += 1;
    global.gc();
    grown = megabytes() - before;
    console.log(`${jobs} jobs: ${grown.toFixed(1)} MB`);
  }
  assert.ok(grown < 40, `still grown by ${grown} MB`);
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
  global.gc();
  const first = megabytes();
  await cycle(pools);
  global.gc();
  const more = megabytes() - first;
  console.log(`${pools} pools: ${more.toFixed(1)} MB`);
  assert.ok(more < 30, `grown by ${more} MB`);
  pass();
})();
