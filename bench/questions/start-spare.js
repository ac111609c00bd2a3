'use strict';

const { Worker } = require('node:worker_threads');

const { library } = require('../lib/library.js');
const { median } = require('../lib/stats.js');

const ANSWER = 'require("node:worker_threads").parentPort.postMessage(1)';

async function timed(start, prepare, count) {
  const samples = [];
  for (let n = 0; n < count; n += 1) {
    await prepare();
    const before = performance.now();
    const end = await start();
    samples.push(performance.now() - before);
    await end();
  }
  return { ms: median(samples) };
}

const subject =
  (start, prepare) =>
  async ({ quick }) => {
    await timed(start, prepare, 2);
    return { round: () => timed(start, prepare, quick ? 2 : 9) };
  };

async function fromSpare() {
  const pool = library.WorkerPool.create('start', { workers: 1 });
  await pool.run(() => 1);
  return () => pool.stop();
}

// Node keeps none: the whole start is the only way.
async function fromNothing() {
  const thread = new Worker(ANSWER, { eval: true });
  await new Promise((resolve) => thread.once('message', resolve));
  return () => thread.terminate();
}

module.exports = {
  title:
    'A pool of one whose worker was started ahead (prewarm), beside a new Worker',
  lines: {
    ms: {
      title: 'median',
      unit: 'ms',
      better: 'lower',
      goals: [{ peer: 'worker_threads', ratio: 1 / 100 }],
    },
  },
  subjects: {
    'sloppy-workers': subject(fromSpare, () => library.prewarm()),
    worker_threads: subject(fromNothing, () => undefined),
  },
};
