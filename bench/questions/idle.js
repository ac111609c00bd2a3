'use strict';

const { readFileSync, readdirSync } = require('node:fs');

const { POOL_NAMES, openPool } = require('../peers/index.js');

const IDLE_MS = { full: 3000, quick: 300 };

/** Of all threads: time on a CPU, and how often one was switched to. */
function usage() {
  let cpuNs = 0;
  let switches = 0;
  for (const thread of readdirSync('/proc/self/task')) {
    const at = `/proc/self/task/${thread}`;
    cpuNs += Number(readFileSync(`${at}/schedstat`, 'utf8').split(' ')[0]);
    const status = readFileSync(`${at}/status`, 'utf8');
    switches += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)[1]);
  }
  return { cpuNs, switches };
}

const idle = ({ quick }, close) => ({
  async round() {
    const ms = quick ? IDLE_MS.quick : IDLE_MS.full;
    await new Promise((resolve) => setTimeout(resolve, 100));
    const before = usage();
    await new Promise((resolve) => setTimeout(resolve, ms));
    const after = usage();
    return {
      cpu: (after.cpuNs - before.cpuNs) / ms / 1e4,
      wakeUps: (after.switches - before.switches) / (ms / 1000),
    };
  },
  close,
});

// The questioner's own timer and reading are in every figure.
const subjects = { 'bare node': async (mode) => idle(mode) };
for (const peer of POOL_NAMES) {
  subjects[peer] = async (mode) => {
    const pool = await openPool(peer, { workers: 2, job: 'echo' });
    for (let n = 0; n < 100; n += 1) await pool.call(n);
    return idle(mode, pool.close);
  };
}

module.exports = {
  title: 'A pool of two that has nothing to do',
  maxRounds: 3,
  lines: {
    cpu: { title: 'CPU', unit: '%', better: 'lower', goals: [{ limit: 0.05 }] },
    wakeUps: {
      title: 'wake-ups of all threads',
      unit: '/s',
      better: 'lower',
      goals: [{ peer: 'bare node', ratio: 1.5 }],
    },
  },
  subjects,
};
