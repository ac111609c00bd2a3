'use strict';

const { readFileSync } = require('node:fs');

/**
 * @returns {number} CPU time of the calling thread so far, in µs. The kernel's
 *   own counter, because Node 20 has no `process.threadCpuUsage`.
 */
function threadCpuUs() {
  if (process.threadCpuUsage !== undefined) {
    const { user, system } = process.threadCpuUsage();
    return user + system;
  }
  const text = readFileSync('/proc/thread-self/schedstat', 'utf8');
  return Number(text.slice(0, text.indexOf(' '))) / 1000;
}

/** @returns {number} CPU time of all threads so far, in µs */
function processCpuUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

module.exports = { processCpuUs, threadCpuUs };
