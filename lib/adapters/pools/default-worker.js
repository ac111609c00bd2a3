'use strict';

// The worker of a pool without a module: it starts, and reports why it can do
// nothing.

const { parentPort } = require('node:worker_threads');

const error = 'this worker has no jobs: name a module with workerURL';

parentPort.on('message', (request) => {
  parentPort.postMessage({ id: request?.id, type: 'error', error });
});
