'use strict';

const { monitorEventLoopDelay } = require('node:perf_hooks');

const { keepInFlight } = require('../lib/load.js');
const { POOL_NAMES, openPool } = require('../peers/index.js');

const IN_FLIGHT = { full: 100_000, quick: 5_000 };
const RESOLUTION_MS = 1;
const HOLD_MS = { full: 1000, quick: 100 };

const subjects = {};
for (const peer of POOL_NAMES) {
  // Its queue is searched for every job: 5 000 in flight hold the loop for
  // half a minute, 100 000 for hours.
  if (peer === 'isolated-vm') continue;
  subjects[peer] = async ({ quick }) => {
    const pool = await openPool(peer, { job: 'echo' });
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
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  async function lane() {
    for (;;) await pool.call(1);
  }
  for (let n = 0; n < inFlight; n += 1) lane().catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 20));
  histogram.enable();
  await new Promise((resolve) => setTimeout(resolve, ms));
  histogram.disable();
  const late = (ns) => Math.max(ns / 1e6 - RESOLUTION_MS, 0);
  return { p99: late(histogram.percentile(99)), max: late(histogram.max) };
}

module.exports = {
  title: 'Delay of the event loop while 100 000 jobs are in flight',
  fresh: true,
  maxRounds: 5,
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
