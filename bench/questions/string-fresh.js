'use strict';

const { oneByOne } = require('../lib/load.js');
const { median } = require('../lib/stats.js');
const { POOL_NAMES, openPool } = require('../peers/index.js');

const SIZE = 1024 * 1024;

const subjects = {};
for (const peer of POOL_NAMES) {
  subjects[peer] = async ({ quick }) => {
    const pool = await openPool(peer, { job: 'echo' });
    const bytes = Buffer.alloc(SIZE, 'lorem ipsum ');
    const round = () => measure(pool, bytes, quick ? 5 : 50);
    await round();
    return { round, close: pool.close };
  };
}

// The strings are made before the clock starts.
async function measure(pool, bytes, count) {
  const strings = Array.from({ length: count }, () => bytes.latin1Slice());
  const call = () => pool.call(strings.pop());
  const run = await oneByOne(call, 0, count);
  return { us: median(run.samples), cpu: run.processUs };
}

module.exports = {
  title: 'A string of 1 MB there and back, another one each time',
  lines: {
    us: {
      title: 'median',
      unit: 'µs',
      better: 'lower',
      goals: [{ peer: 'worker_threads', ratio: 0.25 }],
    },
    cpu: { title: 'CPU of all threads', unit: 'µs', better: 'lower' },
  },
  subjects,
};
