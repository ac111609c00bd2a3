'use strict';

const { jobs } = require('../jobs.js');
const { openPool } = require('../peers/index.js');

const STEPS = 4_000_000;
const JOBS = { full: 60, quick: 8 };

const elapsed = async (work) => {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
};

function allAtOnce(pool, count) {
  return Promise.all(Array.from({ length: count }, () => pool.call(STEPS)));
}

const subjects = {};
const peers = ['sloppy-workers', 'worker_threads', 'piscina', 'isolated-vm'];
for (const peer of peers) {
  subjects[peer] = async ({ quick }) => {
    const count = quick ? JOBS.quick : JOBS.full;
    const one = await openPool(peer, { workers: 1, job: 'spin' });
    const two = await openPool(peer, { workers: 2, job: 'spin' });
    await allAtOnce(one, 2);
    await allAtOnce(two, 4);
    return {
      async round() {
        const alone = await elapsed(() => allAtOnce(one, count));
        const both = await elapsed(() => allAtOnce(two, count));
        return { scaling: alone / both / 2, job: alone / count };
      },
      close: () => Promise.all([one.close(), two.close()]),
    };
  };
}

subjects['direct call'] = async () => {
  jobs.spin(STEPS);
  return {
    async round() {
      return { job: await elapsed(() => jobs.spin(STEPS)) };
    },
  };
};

module.exports = {
  title: 'CPU-bound jobs on one and on two workers',
  lines: {
    scaling: {
      title: 'speed-up of the second worker, of the ideal',
      unit: '×',
      better: 'higher',
      goals: [{ limit: 0.97 }],
    },
    job: { title: 'one job on one worker', unit: 'ms', better: 'lower' },
  },
  subjects,
};
