'use strict';

/**
 * Where a job is in its life. Only Admission moves a job from one to the next.
 *
 *     New -> Waiting -> Admitted -> Settled -> Released
 *
 * `Settled`: the caller has its answer, the place is still taken.
 * `Released`: the place is free again; whatever comes later is ignored.
 */
const JobState = Object.freeze({
  New: 0,
  Waiting: 1,
  Admitted: 2,
  Settled: 3,
  Released: 4,
});

module.exports = { JobState };
