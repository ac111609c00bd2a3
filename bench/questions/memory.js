'use strict';

const { readFileSync } = require('node:fs');

const { openPool } = require('../peers/index.js');

const WORKERS = { full: 64, quick: 8 };

function pssKb() {
  const text = readFileSync('/proc/self/smaps_rollup', 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(text)[1]);
}

const subjects = {};
const peers = ['sloppy-workers', 'worker_threads', 'isolated-vm', 'piscina'];
for (const peer of peers) {
  subjects[peer] = async ({ quick }) => {
    const count = quick ? WORKERS.quick : WORKERS.full;
    // The first worker of the process, with whatever is loaded once, is not
    // counted.
    const first = await openPool(peer, { job: 'echo' });
    await first.call(1);
    return {
      async round() {
        const before = await settled();
        const pools = await openAll(peer, count);
        const after = await settled();
        await Promise.all(pools.map((pool) => pool.close()));
        return { kb: (after - before) / count };
      },
    };
  };
}

// One pool for each worker: all of them have run a job then.
async function openAll(peer, count) {
  const pools = [];
  while (pools.length < count) {
    const pool = await openPool(peer, { job: 'echo' });
    await pool.call(1);
    pools.push(pool);
  }
  return pools;
}

async function settled() {
  await new Promise((resolve) => setTimeout(resolve, 300));
  return pssKb();
}

module.exports = {
  title: 'Memory of an idle worker that has run one job, among 64',
  fresh: true,
  maxRounds: 3,
  lines: {
    kb: {
      title: 'proportional set size',
      unit: 'KB',
      better: 'lower',
      goals: [
        { peer: 'worker_threads', ratio: 1 / 6 },
        { peer: 'isolated-vm', ratio: 1 },
      ],
    },
  },
  subjects,
};
