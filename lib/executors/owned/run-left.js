'use strict';

const { sinceMs } = require('../../base/since-ms.js');

/**
 * @param {object | undefined} record of RunningJobs. Its limit counts from when it
 *   was sent, or from its begin if its worker has told that
 * @param {AheadWords} [words] where the worker writes the begin
 * @returns {number} how many milliseconds are left of the time of its run
 */
function runLeft(record, words) {
  if (record === undefined || record.isToldBegun) return 0;
  const { heldSinceMs, runMs } = record.job.operation;
  const at = words?.presentBegunAt(record.seq);
  // It has not begun, or its end is on its way.
  if (at === undefined) return runMs;
  return runMs + heldSinceMs - sinceMs(at);
}

module.exports = { runLeft };
