'use strict';

const { parentPort, workerData } = require('node:worker_threads');
const { jobs } = require('../jobs.js');

const job = jobs[workerData];

parentPort.on('message', (value) => {
  const result = job(value);
  // A buffer that came as a transfer goes back as one.
  const moved = result instanceof ArrayBuffer ? [result] : undefined;
  parentPort.postMessage(result, moved);
});
