'use strict';
// The clock of a worker's realm, captured because jobs share it. Node loads
// performance.now() at its first use, which a start would pay for.

const clock = process.hrtime;

/** @returns {number} milliseconds since some moment */
function now() {
  const [seconds, nanoseconds] = clock();
  return seconds * 1e3 + nanoseconds / 1e6;
}

module.exports = { now };
