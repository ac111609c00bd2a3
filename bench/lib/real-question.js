'use strict';

const { join } = require('node:path');
const { Worker } = require('node:worker_threads');

const { library } = require('./library.js');
const { median } = require('./stats.js');
const { processCpuUs } = require('./thread-usage.js');
const { inputs, moduleOf } = require('../real/inputs.js');

const THREAD = join(__dirname, '../real/thread.mjs');
// Most code is optimised after 60 jobs, TypeScript's and terser's after 80.
const WARM_JOBS = 85;
const JOBS = { full: 15, quick: 2 };

async function direct(name) {
  const job = (await import(moduleOf(name)))[name];
  return { call: async (input) => job(input) };
}

function thread(name, workers) {
  const threads = Array.from(
    { length: workers },
    () => new Worker(THREAD, { workerData: { name, module: moduleOf(name) } }),
  );
  let next = 0;
  return {
    // An error of the thread, which nobody listens for, ends the process.
    call: (input) =>
      new Promise((resolve) => {
        const worker = threads[next];
        next = (next + 1) % workers;
        worker.once('message', resolve);
        worker.postMessage(input);
      }),
    close: () => Promise.all(threads.map((worker) => worker.terminate())),
  };
}

function piscina(name, workers) {
  const { Piscina } = require('piscina');
  const pool = new Piscina({
    filename: moduleOf(name),
    name,
    minThreads: workers,
    maxThreads: workers,
  });
  return { call: (input) => pool.run(input), close: () => pool.destroy() };
}

const ours = (options) => (name, workers) => {
  const pool = library.WorkerPool.create('real', {
    workers,
    module: moduleOf(name),
    ...options,
  });
  return {
    call: (input) => pool.invoke(name, input),
    close: () => pool.stop({ drain: false }),
  };
};

/**
 * The subjects: `(job, workers)` to `{ call, close }`, of which only as many calls
 * as there are workers may be under way.
 */
const openers = {
  'sloppy-workers': ours({}),
  'sloppy-workers, 64 MB': ours({ memoryLimitMb: 64 }),
  'sloppy-workers, 512 MB': ours({ memoryLimitMb: 512 }),
  'direct call': direct,
  worker_threads: thread,
  piscina,
};

/**
 * One of the jobs of bench/real: what it takes once it is warm, with its input
 * and its answer on their way.
 */
function realQuestion(name, title) {
  const subjects = {};
  for (const [subject, open] of Object.entries(openers)) {
    subjects[subject] = async ({ quick }) => {
      const { call, close } = await open(name, 1);
      const input = inputs[name]();
      for (let n = 0; n < (quick ? 1 : WARM_JOBS); n += 1) await call(input);
      return { round: () => measure(call, input, quick), close };
    };
  }
  const ratio = 1.03;
  return {
    title,
    lines: {
      cpu: {
        title: 'CPU of all threads',
        unit: 'ms',
        better: 'lower',
        goals: [
          { peer: 'direct call', ratio },
          { peer: 'worker_threads', ratio: 1 },
        ],
      },
      wall: { title: 'median', unit: 'ms', better: 'lower' },
    },
    subjects,
  };
}

async function measure(call, input, quick) {
  const count = quick ? JOBS.quick : JOBS.full;
  const wall = [];
  const before = processCpuUs();
  for (let n = 0; n < count; n += 1) {
    const begin = performance.now();
    await call(input);
    wall.push(performance.now() - begin);
  }
  const cpu = (processCpuUs() - before) / 1000 / count;
  return { cpu, wall: median(wall) };
}

module.exports = { WARM_JOBS, openers, realQuestion };
