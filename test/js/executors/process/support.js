'use strict';

const { existsSync, readFileSync, readdirSync } = require('node:fs');

const { WorkerPool } = require('../../../../lib/index.js');

const pools = [];

/** A pool of processes that ends with its test. */
function createPool(options = {}) {
  const pool = WorkerPool.create('p', { runtime: 'process', ...options });
  pools.push(pool);
  return pool;
}

const stopAll = () =>
  Promise.all(
    pools.splice(0).map((pool) => pool.stop({ drain: false, timeoutMs: 0 })),
  );

/** @returns {string} the state of a process; '' if there is none of that number */
function stateOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2)[0];
  } catch {
    return '';
  }
}

/** Resolves when the process has gone and nobody has to wait for it. */
async function gone(pid) {
  while (stateOf(pid) !== '') {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const hasProc = existsSync('/proc/self/fd');
const testOnLinux = hasProc ? test : test.skip;
const openFiles = () => readdirSync('/proc/self/fd').length;

module.exports = {
  createPool,
  gone,
  openFiles,
  stateOf,
  stopAll,
  testOnLinux,
};
