'use strict';

const { Worker } = require('node:worker_threads');

const { openPool } = require('../peers/index.js');
const { load } = require('../peers/isolated-vm.js');
const { library } = require('./library.js');
const { median } = require('./stats.js');

const ANSWER = 'require("node:worker_threads").parentPort.postMessage(1)';

/** Each starts, waits for the first answer, and returns how to end it. */
const starts = {
  async 'sloppy-workers'(job = () => 1) {
    const pool = library.WorkerPool.create('start', { workers: 1 });
    await pool.run(job);
    return () => pool.stop();
  },
  async worker_threads() {
    const thread = new Worker(ANSWER, { eval: true });
    await new Promise((resolve) => thread.once('message', resolve));
    return () => thread.terminate();
  },
  async 'isolated-vm'() {
    const isolate = new (load().Isolate)({ memoryLimit: 128 });
    const context = await isolate.createContext();
    await context.eval('1');
    return () => isolate.dispose();
  },
};
for (const peer of ['piscina', 'tinypool', 'workerpool', 'poolifier']) {
  starts[peer] = async () => {
    const pool = await openPool(peer, { job: 'echo' });
    await pool.call(1);
    return pool.close;
  };
}

/**
 * @param {() => Promise<() => unknown>} start one of `starts`
 * @param {number} count
 * @param {() => unknown} [prepare] before each, not measured
 */
async function startsInARow(start, count, prepare) {
  const samples = [];
  for (let n = 0; n < count; n += 1) {
    await prepare?.();
    const before = performance.now();
    const end = await start();
    samples.push(performance.now() - before);
    await end();
  }
  return { ms: median(samples) };
}

module.exports = { starts, startsInARow };
