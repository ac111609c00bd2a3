'use strict';
// The clock of a worker's realm, captured because jobs share it. Node loads
// performance.now() at its first use, which a start would pay for.

const clock = process.hrtime;

/** @returns {number} milliseconds since some moment */
function now() {
  // Not taken apart, because jobs may replace the iterator of arrays.
  const pair = clock();
  return pair[0] * 1e3 + pair[1] / 1e6;
}

module.exports = { now };
