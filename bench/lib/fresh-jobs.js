'use strict';

const { ROUND_MS, pick } = require('./echo-question.js');
const { keepInFlight } = require('./load.js');
const { openPool } = require('../peers/index.js');
const { NAME, worldsAlone } = require('./v8-alone.js');

const IN_FLIGHT = 2;

/**
 * Jobs that each get a world of their own.
 *
 * @param {'context' | 'isolate'} isolation ours
 * @param {Record<string, () => Promise<void>>} peers one job each
 */
function freshSubjects(isolation, peers) {
  const echo = (input) => {
    return async ({ quick }) => {
      const pool = await openPool('sloppy-workers', {
        workers: IN_FLIGHT,
        job: 'echo',
        pool: { isolation },
      });
      return measured(() => pool.call(input), quick, pool.close);
    };
  };
  const subjects = {
    'sloppy-workers': echo(1),
    'sloppy-workers, an object': echo({ of: 1 }),
  };
  for (const [peer, job] of Object.entries(peers)) {
    subjects[peer] = ({ quick }) => measured(job, quick);
  }
  subjects[NAME] = worldsAlone(isolation === 'isolate' ? 'isolates' : 'realms');
  return subjects;
}

async function measured(job, quick, close) {
  await keepInFlight(job, IN_FLIGHT, pick(ROUND_MS, quick));
  return {
    async round() {
      const run = await keepInFlight(job, IN_FLIGHT, pick(ROUND_MS, quick));
      return { rate: run.jobs / run.seconds, cpu: run.processUs / run.jobs };
    },
    close,
  };
}

const freshLines = (goals) => ({
  rate: { title: 'jobs per second', unit: '/s', better: 'higher', goals },
  cpu: { title: 'CPU of all threads per job', unit: 'µs', better: 'lower' },
});

module.exports = { freshLines, freshSubjects };
