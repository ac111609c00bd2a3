'use strict';

const { Worker } = require('node:worker_threads');

const { freshLines, freshSubjects } = require('../lib/fresh-jobs.js');
const { load } = require('../peers/isolated-vm.js');

const ANSWER = 'require("node:worker_threads").parentPort.postMessage(1)';

async function newIsolatePerJob() {
  const isolate = new (load().Isolate)({ memoryLimit: 128 });
  const context = await isolate.createContext();
  await context.eval('1');
  isolate.dispose();
}

async function newWorkerPerJob() {
  const thread = new Worker(ANSWER, { eval: true });
  await new Promise((resolve) => thread.once('exit', resolve));
}

module.exports = {
  title: 'A fresh isolate for every job, two at a time',
  lines: freshLines([
    { peer: 'worker_threads', ratio: 30 },
    { peer: 'isolated-vm', ratio: 2 },
  ]),
  subjects: freshSubjects('isolate', {
    worker_threads: newWorkerPerJob,
    'isolated-vm': newIsolatePerJob,
  }),
};
