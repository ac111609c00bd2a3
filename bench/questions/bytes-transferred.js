'use strict';

const { mean, median } = require('../lib/stats.js');
const { NAME, movesAlone } = require('../lib/v8-alone.js');
const { oneByOne } = require('../lib/load.js');
const { POOL_NAMES, openPool } = require('../peers/index.js');

const SIZES = { kb10: 10 * 1024, mb1: 1024 * 1024, mb10: 10 * 1024 * 1024 };

const subjects = {};
for (const peer of POOL_NAMES) {
  // isolated-vm has no transfer in the arguments of a call.
  if (peer === 'isolated-vm') continue;
  subjects[peer] = async ({ quick }) => {
    const pool = await openPool(peer, { job: 'length', options: 'transfer' });
    return subject(pool, quick);
  };
}
subjects[NAME] = async ({ quick }) => subject(movesAlone(), quick);

const subject = (pool, quick) => ({
  round: () => measureSizes(pool, quick ? 5 : 25),
  close: pool.close,
});

// The buffers are made before the clock starts: only the move is timed.
async function measureSizes(pool, count) {
  const lines = {};
  for (const [key, size] of Object.entries(SIZES)) {
    const buffers = Array.from({ length: count }, () =>
      new Uint8Array(size).fill(1),
    );
    const call = () => {
      const { buffer } = buffers.pop();
      return pool.call(buffer, [buffer]);
    };
    const run = await oneByOne(call, 0, count);
    lines[key] = median(run.samples);
    // With V8's collections, which one in six meets.
    if (key === 'mb10') lines.mb10mean = mean(run.samples);
  }
  return lines;
}

const line = (title, goals) => ({ title, unit: 'µs', better: 'lower', goals });
const half = { peer: 'worker_threads', ratio: 0.5 };

module.exports = {
  title: 'A buffer transferred to the worker, which answers its length',
  lines: {
    kb10: line('10 KB'),
    mb1: line('1 MB'),
    mb10: line('10 MB', [half, { line: 'kb10', ratio: 1.5 }]),
    mb10mean: line('10 MB, mean'),
  },
  subjects,
};
