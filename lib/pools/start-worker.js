'use strict';

const path = require('node:path');

const { Code } = require('../internal/diagnostics.gen.js');
const { createMessageWorker } = require('../internal/message-worker.js');
const { workerError } = require('../sloppy-worker-error.js');

const DEFAULT_WORKER = path.join(__dirname, 'default-worker.js');

/**
 * @param {string | URL} [url]
 * @param {{ runtime?: 'isolate' | 'thread', memoryLimitMb?: number }} settings
 * @returns {{ worker: object, ready: Promise<object> }} `ready` gives the
 *   worker once its module was evaluated, or rejects with what prevented it
 */
function startWorker(url, { runtime, memoryLimitMb }) {
  const module = url || DEFAULT_WORKER;
  const worker = createMessageWorker({ module, runtime, memoryLimitMb });
  const ready = new Promise((resolve, reject) => {
    const onExit = (_code, cause) =>
      reject(cause ?? workerError(Code.StartupFailed));
    worker.once('exit', onExit);
    worker.once('online', () => {
      worker.off('exit', onExit);
      resolve(worker);
    });
  });
  return { worker, ready };
}

module.exports = { startWorker };
