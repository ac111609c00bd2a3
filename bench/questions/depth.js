'use strict';

const { POOL_NAMES, openPool } = require('../peers/index.js');

const DEPTHS = { d10: 10, d1000: 1_000, d100000: 100_000 };
const JOBS = { full: 100_000, quick: 2_000 };

const subjects = {};
for (const peer of POOL_NAMES) {
  subjects[peer] = async ({ quick }) => {
    const pool = await openPool(peer, { job: 'echo' });
    const jobs = quick ? JOBS.quick : JOBS.full;
    await costAt(pool, 1_000, jobs / 10);
    return {
      async round() {
        const lines = {};
        for (const [key, depth] of Object.entries(DEPTHS)) {
          // Ten at a time is slow where every batch costs a wake-up.
          const share = depth < 100 ? jobs / 10 : jobs;
          // Its cost grows with the square of the depth.
          if (peer === 'isolated-vm' && depth > 1_000) continue;
          lines[key] = await costAt(pool, Math.min(depth, share), share);
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
  maxRounds: 5,
  lines: {
    d10: line('10 at once'),
    d1000: line('1 000 at once', [{ line: 'd10', ratio: 1 }]),
    d100000: line('100 000 at once', [{ line: 'd1000', ratio: 1.5 }]),
  },
  subjects,
};
