'use strict';

const { library } = require('../lib/library.js');
const { processCpuUs } = require('../lib/thread-usage.js');

const KEYS = [1, 1000, 100_000];
const JOBS = { full: 100_000, quick: 1000 };
const ECHO = ({ input }) => input;

async function measure(pool, keys, count) {
  const begin = processCpuUs();
  const all = [];
  for (let n = 0; n < count; n += 1) {
    all.push(pool.run(ECHO, { input: n, key: `key ${n % keys}` }));
  }
  await Promise.all(all);
  return (processCpuUs() - begin) / count;
}

module.exports = {
  title: 'Tiny jobs with keys, 100 000 submitted at once: CPU of all threads',
  lines: Object.fromEntries(
    KEYS.map((keys) => [
      `k${keys}`,
      {
        title: `${keys} keys`,
        unit: 'µs',
        better: 'lower',
        goals: keys === 100_000 ? [{ line: 'k1000', ratio: 1.5 }] : undefined,
      },
    ]),
  ),
  subjects: {
    'sloppy-workers': async ({ quick }) => {
      const count = quick ? JOBS.quick : JOBS.full;
      const pool = library.WorkerPool.create('keys', {
        workers: 1,
        maxQueued: 2 * JOBS.full,
        maxPerKey: 64,
      });
      await measure(pool, 100, 1000);
      return {
        async round() {
          const results = {};
          for (const keys of KEYS) {
            results[`k${keys}`] = await measure(pool, keys, count);
          }
          return results;
        },
        close: () => pool.stop({ drain: false }),
      };
    },
  },
};
