'use strict';

/**
 * States of a job. Only Admission changes them.
 *
 *     New -> Waiting -> Admitted -> Settled -> Released
 *
 * `Settled`: the caller has its answer, the place is still taken. `Released`:
 * the place is free again; later reports are ignored.
 */
const JobState = Object.freeze({
  New: 0,
  Waiting: 1,
  Admitted: 2,
  Settled: 3,
  Released: 4,
});

module.exports = { JobState };
