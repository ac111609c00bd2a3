'use strict';

const os = require('node:os');

const { max, min } = Math;

/**
 * How many workers a pool has beyond those that run jobs. Where every job gets
 * a new realm or isolate, one of them makes it while another runs the next job.
 */
function reserveFor({ isolation, workers, concurrentJobsPerWorker, init }) {
  if (isolation === 'worker' || concurrentJobsPerWorker > 1) return 0;
  // A failed one fails the jobs that wait: so let each see to its own.
  if (init !== undefined) return 0;
  return max(1, min(workers, os.availableParallelism() - workers));
}

module.exports = { reserveFor };
