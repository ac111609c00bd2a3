'use strict';
// The job of the threads: piscina calls the export of this file, a thread of
// worker_threads answers messages.

const { parentPort, workerData } = require('node:worker_threads');

const next = (n) => n + 1;

if (workerData === 'answer-messages') {
  parentPort.on('message', (n) => parentPort.postMessage(next(n)));
}

module.exports = next;
