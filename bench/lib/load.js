'use strict';

const { processCpuUs, threadCpuUs } = require('./thread-usage.js');

/**
 * Keeps `lanes` calls in flight until the time is over.
 *
 * @param {() => Promise<unknown>} call
 * @param {number} lanes
 * @param {number} ms
 * @param {number} [jobsPerLook] how many between two looks at the clock, which
 *   costs a quarter of a tiny job
 * @returns {Promise<{ jobs: number, seconds: number, ownerUs: number,
 *   processUs: number }>} CPU times for the whole run
 */
async function keepInFlight(call, lanes, ms, jobsPerLook = 1) {
  const begin = performance.now();
  const until = begin + ms;
  const owner = threadCpuUs();
  const everything = processCpuUs();
  let jobs = 0;
  let isOver = false;
  async function lane() {
    do {
      await call();
      jobs += 1;
      if (jobs % jobsPerLook === 0) isOver ||= performance.now() >= until;
    } while (!isOver);
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  return {
    jobs,
    seconds: (performance.now() - begin) / 1000,
    ownerUs: threadCpuUs() - owner,
    processUs: processCpuUs() - everything,
  };
}

/**
 * One call after the other until the time is over.
 *
 * @returns {Promise<{ samples: number[], processUs: number }>} each call's
 *   duration in µs, and the CPU time of all threads per call
 */
async function oneByOne(call, ms, atLeast = 5) {
  const samples = [];
  const until = performance.now() + ms;
  const cpu = processCpuUs();
  for (let now = performance.now(); now < until || samples.length < atLeast; ) {
    await call();
    const after = performance.now();
    samples.push((after - now) * 1000);
    now = after;
  }
  return { samples, processUs: (processCpuUs() - cpu) / samples.length };
}

module.exports = { keepInFlight, oneByOne };
