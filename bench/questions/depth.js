'use strict';

const { POOL_NAMES, PROMISES, openPool } = require('../peers/index.js');

const DEPTHS = { d10: 10, d1000: 1_000, d100000: 100_000 };
// At each depth: enough to tell, few enough for the slow ones.
const JOBS = { d10: 5_000, d1000: 20_000, d100000: 100_000 };
const QUICK_JOBS = 1_000;

const subjects = {};
for (const peer of [...POOL_NAMES, PROMISES]) {
  subjects[peer] = async ({ quick }) => {
    const pool = await openPool(peer, { job: 'echo' });
    await costAt(pool, 1_000, quick ? QUICK_JOBS : JOBS.d1000);
    return {
      async round() {
        const lines = {};
        for (const [key, depth] of Object.entries(DEPTHS)) {
          // Its cost grows with the square of the depth.
          if (peer === 'isolated-vm' && depth > 1_000) continue;
          const jobs = quick ? QUICK_JOBS : JOBS[key];
          lines[key] = await costAt(pool, Math.min(depth, jobs), jobs);
        }
        return lines;
      },
      close: pool.close,
    };
  };
}

/** Batches of `depth`, each submitted at once and awaited; µs per job. */
async function costAt(pool, depth, jobs) {
  const begin = performance.now();
  for (let done = 0; done < jobs; done += depth) {
    await Promise.all(Array.from({ length: depth }, () => pool.call(1)));
  }
  return ((performance.now() - begin) * 1000) / jobs;
}

const line = (title, goals) => ({ title, unit: 'µs', better: 'lower', goals });

module.exports = {
  title: 'Cost of a job by the number that is submitted at once',
  maxRounds: 3,
  lines: {
    d10: line('10 at once'),
    d1000: line('1 000 at once', [{ line: 'd10', ratio: 1 }]),
    d100000: line('100 000 at once', [{ line: 'd1000', ratio: 1.5 }]),
  },
  subjects,
};
