'use strict';

const os = require('node:os');

const { max, min } = Math;

/**
 * Number of workers of a pool besides those that run jobs. Where every job gets
 * a new realm or isolate, one worker makes it while another runs the next job.
 */
function reserveFor({ isolation, workers, concurrentJobsPerWorker, init }) {
  if (isolation === 'worker' || concurrentJobsPerWorker > 1) return 0;
  // None with `init`, because a failed one fails the jobs that wait.
  if (init !== undefined) return 0;
  return max(1, min(workers, os.availableParallelism() - workers));
}

module.exports = { reserveFor };
