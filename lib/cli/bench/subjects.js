'use strict';
// The compared subjects: pools that add one to a number in another thread.

const { createRequire } = require('node:module');
const { join } = require('node:path');
const { Worker } = require('node:worker_threads');

const { WorkerPool } = require('../../pool/worker-pool.js');

const file = join(__dirname, 'next-number.js');

function openOurs(workers) {
  const pool = WorkerPool.create('bench', {
    workers,
    minWorkers: workers,
    maxQueued: 4096,
  });
  const next = ({ input }) => input + 1;
  return {
    call: (input) => pool.run(next, { input }),
    close: () => pool.stop(),
  };
}

// A minimal pool of worker_threads; answers come in order.
function openThreads(workers) {
  const members = Array.from({ length: workers }, () => {
    const thread = new Worker(file, {
      __proto__: null,
      workerData: 'answer-messages',
    });
    const waiting = [];
    thread.on('message', (value) => waiting.shift()(value));
    return { thread, waiting };
  });
  let turn = 0;
  return {
    call: (input) =>
      new Promise((resolve) => {
        const { thread, waiting } = members[turn];
        turn = (turn + 1) % workers;
        waiting.push(resolve);
        thread.postMessage(input);
      }),
    close: () => Promise.all(members.map(({ thread }) => thread.terminate())),
  };
}

const own = createRequire(join(process.cwd(), 'package.json'));

function findPiscina() {
  try {
    return own('piscina');
  } catch {
    return null;
  }
}

function openPiscina(workers) {
  const found = findPiscina();
  const Piscina = found.Piscina ?? found;
  const pool = new Piscina({
    filename: file,
    minThreads: workers,
    maxThreads: workers,
  });
  return { call: (input) => pool.run(input), close: () => pool.destroy() };
}

/** @returns {string[]} the subjects that this folder can measure */
function subjectNames() {
  const names = ['sloppy-workers', 'worker_threads'];
  return findPiscina() === null ? names : [...names, 'piscina'];
}

const OPEN = {
  'sloppy-workers': openOurs,
  worker_threads: openThreads,
  piscina: openPiscina,
};

module.exports = { OPEN, subjectNames };
