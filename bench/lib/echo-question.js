'use strict';

const { keepInFlight, oneByOne } = require('./load.js');
const { median, quantile } = require('./stats.js');
const { POOL_NAMES, openPool } = require('../peers/index.js');

const ROUND_MS = { full: 400, quick: 60 };
const WARM_MS = { full: 300, quick: 50 };

/** Where hundreds of thousands of jobs a second are counted. */
const JOBS_PER_LOOK = 32;

const pick = (times, quick) => (quick ? times.quick : times.full);

/**
 * A value there and back, one call at a time.
 *
 * @param {() => unknown} makeInput
 * @param {object} [options] `job`, `peers`, `more` (subjects of its own),
 *   `transfer(input)`, `atLeast` calls a round, `pool` options of ours
 * @returns {Record<string, Function>} subjects, for lines `us`, `p90`, `cpu`
 */
function roundTrips(makeInput, options = {}) {
  const { job = 'echo', peers = POOL_NAMES, pool, transfer, atLeast } = options;
  const shared = transfer === undefined ? makeInput() : undefined;
  const subjects = {};
  for (const peer of peers) {
    subjects[peer] = async ({ quick }) => {
      const opened = await openPool(peer, {
        job,
        pool,
        options: transfer ? 'transfer' : 'plain',
      });
      const call =
        transfer === undefined
          ? () => opened.call(shared)
          : () => {
              const input = makeInput();
              return opened.call(input, transfer(input));
            };
      return trips(call, opened.close, quick, atLeast);
    };
  }
  return subjects;
}

async function trips(call, close, quick, atLeast = 3) {
  await oneByOne(call, pick(WARM_MS, quick), atLeast);
  return {
    async round() {
      const run = await oneByOne(call, pick(ROUND_MS, quick), atLeast);
      return {
        us: median(run.samples),
        p90: quantile(run.samples, 0.9),
        cpu: run.processUs,
      };
    },
    close,
  };
}

/** The lines of `roundTrips`. */
const tripLines = (goals) => ({
  us: { title: 'median', unit: 'µs', better: 'lower', goals },
  p90: { title: '90th percentile', unit: 'µs', better: 'lower' },
  cpu: { title: 'CPU of all threads', unit: 'µs', better: 'lower' },
});

/** A synchronous call as a subject of `roundTrips`. */
const direct =
  (makeCall) =>
  async ({ quick }) =>
    trips(makeCall(), undefined, quick);

/**
 * Many calls in flight.
 *
 * @param {unknown} input
 * @param {{ inFlight?: number, workers?: number, pools?: Record<string,
 *   [string, object]> }} [options] `pools`: subject name to peer and setting
 */
function throughput(input, options = {}) {
  const { inFlight = 256, workers = 1, job = 'echo' } = options;
  const pools =
    options.pools ??
    Object.fromEntries(POOL_NAMES.map((peer) => [peer, [peer, {}]]));
  const subjects = {};
  for (const [name, [peer, setting]] of Object.entries(pools)) {
    subjects[name] = async ({ quick }) => {
      const pool = await openPool(peer, { workers, job, ...setting });
      const call = () => pool.call(input);
      const load = (times) =>
        keepInFlight(call, inFlight, pick(times, quick), JOBS_PER_LOOK);
      await load(WARM_MS);
      return {
        async round() {
          return rates(await load(ROUND_MS));
        },
        close: pool.close,
      };
    };
  }
  return subjects;
}

const rates = ({ jobs, seconds, ownerUs, processUs }) => ({
  rate: jobs / seconds,
  owner: ownerUs / jobs,
  cpu: processUs / jobs,
});

/** The lines of `throughput`. */
const rateLines = (goals, ownerGoals) => ({
  rate: { title: 'jobs per second', unit: '/s', better: 'higher', goals },
  owner: {
    title: 'CPU of the owner per job',
    unit: 'µs',
    better: 'lower',
    goals: ownerGoals,
  },
  cpu: { title: 'CPU of all threads per job', unit: 'µs', better: 'lower' },
});

module.exports = {
  JOBS_PER_LOOK,
  ROUND_MS,
  WARM_MS,
  direct,
  pick,
  rateLines,
  rates,
  roundTrips,
  throughput,
  tripLines,
};
