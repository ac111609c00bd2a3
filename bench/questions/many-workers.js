'use strict';

const { jobs } = require('../jobs.js');
const { keepInFlight } = require('../lib/load.js');
const { openPool } = require('../peers/index.js');

const WORKERS = [2, 16, 64];
const LENGTHS = [
  { key: 'us20', title: 'of 20 µs', us: 20 },
  { key: 'ms1', title: 'of 1 ms', us: 1000 },
  { key: 'ms20', title: 'of 20 ms', us: 20_000 },
];
// All workers have work all the time, and as much waits for them.
const LANES = 128;
const MS = { full: 1500, quick: 100 };
const SAMPLE = 2_000_000;

function stepsPerUs() {
  jobs.spin(SAMPLE);
  const begin = process.cpuUsage().user;
  jobs.spin(SAMPLE);
  return SAMPLE / (process.cpuUsage().user - begin);
}

const switches = () => process.resourceUsage().voluntaryContextSwitches;

async function measure(pool, steps, ms) {
  const begin = switches();
  const {
    jobs: count,
    seconds,
    processUs,
  } = await keepInFlight(() => pool.call(steps), LANES, ms);
  return {
    cpu: processUs / count,
    wall: (seconds * 1e6) / count,
    sleeps: (switches() - begin) / count,
  };
}

const subjects = {};
for (const peer of ['sloppy-workers', 'worker_threads']) {
  subjects[peer] = async ({ quick }) => {
    const perUs = stepsPerUs();
    const pools = new Map();
    for (const workers of WORKERS) {
      const pool = await openPool(peer, { workers, job: 'spin' });
      // Every worker has run the job often enough to have it optimised.
      await keepInFlight(() => pool.call(20_000), LANES, quick ? 100 : 3000);
      pools.set(workers, pool);
    }
    return {
      async round() {
        const results = {};
        for (const { key, us } of LENGTHS) {
          for (const workers of WORKERS) {
            const taken = await measure(
              pools.get(workers),
              Math.round(perUs * us),
              quick ? MS.quick : MS.full,
            );
            for (const [what, value] of Object.entries(taken)) {
              results[`${what}_${key}_${workers}`] = value;
            }
          }
        }
        return results;
      },
      close: () => Promise.all([...pools.values()].map((pool) => pool.close())),
    };
  };
}

const lines = {};
for (const [what, { title, unit, goal }] of Object.entries({
  cpu: { title: 'CPU of all threads per job', unit: 'µs', goal: 1.1 },
  wall: { title: 'time per job', unit: 'µs', goal: 1.1 },
  sleeps: { title: 'sleeps of all threads per job', unit: '' },
})) {
  for (const length of LENGTHS) {
    for (const workers of WORKERS) {
      lines[`${what}_${length.key}_${workers}`] = {
        title: `${workers} workers, jobs ${length.title}: ${title}`,
        unit,
        better: 'lower',
        goals:
          goal === undefined || workers === WORKERS[0]
            ? undefined
            : [{ line: `${what}_${length.key}_${WORKERS[0]}`, ratio: goal }],
      };
    }
  }
}

module.exports = {
  title: 'More workers than cores (two cores)',
  lines,
  subjects,
};
