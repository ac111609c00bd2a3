'use strict';

const { Worker } = require('node:worker_threads');

const { library } = require('../lib/library.js');
const { oneByOne } = require('../lib/load.js');
const { median } = require('../lib/stats.js');
const { openPool } = require('../peers/index.js');
const { load } = require('../peers/isolated-vm.js');

const ANSWER = 'require("node:worker_threads").parentPort.postMessage(1)';

/** Each starts, waits for the first answer, and returns how to end it. */
const starts = {
  async 'sloppy-workers'() {
    const pool = library.WorkerPool.create('start', { workers: 1 });
    await pool.run(() => 1);
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

async function startsInARow(start, count) {
  const samples = [];
  for (let n = 0; n < count; n += 1) {
    let end;
    const run = await oneByOne(
      async () => {
        end = await start();
      },
      0,
      1,
    );
    samples.push(run.samples[0]);
    await end();
  }
  return { ms: median(samples) / 1000 };
}

const subjects = {};
for (const [peer, start] of Object.entries(starts)) {
  subjects[peer] = async ({ quick }) => {
    await startsInARow(start, 2);
    return { round: () => startsInARow(start, quick ? 2 : 9) };
  };
}

module.exports = {
  title: 'A pool of one: from create to the first answer, in a warm process',
  lines: {
    ms: {
      title: 'median',
      unit: 'ms',
      better: 'lower',
      goals: [
        { peer: 'worker_threads', ratio: 1 / 15 },
        { peer: 'isolated-vm', ratio: 0.9 },
      ],
    },
  },
  subjects,
};
