'use strict';

const { createRequire } = require('node:module');
const path = require('node:path');

const { Code } = require('../../protocol/diagnostics.gen.js');
const {
  createMessageWorker,
} = require('../../message-worker/message-worker.js');
const { workerError } = require('../../protocol/sloppy-worker-error.js');

const DEFAULT_WORKER = path.join(__dirname, 'default-worker.js');
const CSV_WORKER = 'web-csv-toolbox/worker';

/**
 * The worker of who names none: that of web-csv-toolbox, where the program has
 * it, since its pools are these; else one that has no jobs.
 */
function defaultWorker() {
  const program = process.argv[1] ?? process.cwd();
  for (const from of [program, path.join(process.cwd(), 'index.js')]) {
    try {
      return createRequire(path.resolve(from)).resolve(CSV_WORKER);
    } catch {
      // Not installed there.
    }
  }
  return DEFAULT_WORKER;
}

/**
 * @param {string | URL} [url]
 * @param {{ runtime?: 'isolate' | 'thread', memoryLimitMb?: number }} settings
 * @returns {{ worker: object, ready: Promise<object> }} `ready` gives the
 *   worker once its module was evaluated, or rejects with what prevented it
 */
function startWorker(url, { runtime, memoryLimitMb }) {
  const module = url || defaultWorker();
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
