'use strict';

const { keepInFlight } = require('../lib/load.js');
const { quantile } = require('../lib/stats.js');
const { POOL_NAMES, PROMISES, openPool } = require('../peers/index.js');

const IN_FLIGHT = { full: 100_000, quick: 5_000 };
const TICK_MS = 1;
const HOLD_MS = { full: 1000, quick: 100 };

const subjects = {};
for (const peer of [...POOL_NAMES, PROMISES]) {
  // Its queue is searched for every job: 5 000 in flight hold the loop for
  // half a minute, 100 000 for hours.
  if (peer === 'isolated-vm') continue;
  subjects[peer] = async ({ quick }) => {
    // Promises alone are settled about as fast as our jobs are.
    const pool = await openPool(peer, { job: 'echo', settledPerMs: 500 });
    await keepInFlight(() => pool.call(1), 256, 100);
    const times = quick ? 'quick' : 'full';
    return {
      round: () => measure(pool, IN_FLIGHT[times], HOLD_MS[times]),
    };
  };
}

// All are submitted before the clock starts, and each that ends is replaced.
// The process ends with them: some peers would need ten seconds for the rest.
async function measure(pool, inFlight, ms) {
  async function lane() {
    for (;;) await pool.call(1);
  }
  for (let n = 0; n < inFlight; n += 1) lane().catch(() => {});
  await after(20);
  const late = [];
  const until = performance.now() + ms;
  // Each tick is counted when it comes, however long the loop is held up.
  for (let now = performance.now(); now < until; ) {
    await after(TICK_MS);
    const then = performance.now();
    late.push(Math.max(then - now - TICK_MS, 0));
    now = then;
  }
  return { p99: quantile(late, 0.99), max: Math.max(...late) };
}

const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

module.exports = {
  title: 'Delay of the event loop while 100 000 jobs are in flight',
  fresh: true,
  maxRounds: 3,
  lines: {
    p99: {
      title: '99th percentile',
      unit: 'ms',
      better: 'lower',
      goals: [{ limit: 5 }, { peer: 'best', ratio: 1 }],
    },
    max: { title: 'longest', unit: 'ms', better: 'lower' },
  },
  subjects,
  unavailable: { 'isolated-vm': 'does not end with 100 000 in flight' },
};
