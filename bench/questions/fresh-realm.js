'use strict';

const { Worker } = require('node:worker_threads');

const { freshLines, freshSubjects } = require('../lib/fresh-jobs.js');
const { load } = require('../peers/isolated-vm.js');

const ANSWER = 'require("node:worker_threads").parentPort.postMessage(1)';

let isolate;

async function newContextPerJob() {
  isolate ??= new (load().Isolate)({ memoryLimit: 128 });
  const context = await isolate.createContext();
  await context.eval('1');
  context.release();
}

async function newWorkerPerJob() {
  const thread = new Worker(ANSWER, { eval: true });
  await new Promise((resolve) => thread.once('exit', resolve));
}

module.exports = {
  title: 'A fresh realm for every job, two at a time',
  lines: freshLines([{ peer: 'worker_threads', ratio: 60 }]),
  subjects: freshSubjects('context', {
    worker_threads: newWorkerPerJob,
    'isolated-vm': newContextPerJob,
  }),
};
