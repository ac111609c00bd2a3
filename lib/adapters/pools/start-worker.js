'use strict';

const { createRequire } = require('node:module');
const path = require('node:path');

const { Code } = require('../../protocol/diagnostics.gen.js');
const {
  createMessageWorker,
} = require('../../message-worker/message-worker.js');
const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { SETTINGS, workerSettings } = require('../engines/worker-options.js');

const DEFAULT_WORKER = path.join(__dirname, 'default-worker.js');
const OPTIONS = ['workerURL', ...SETTINGS];
const CSV_WORKER = 'web-csv-toolbox/worker';

/**
 * The default worker: that of web-csv-toolbox if it is installed, because its
 * pools have this API; else one without jobs.
 */
function defaultWorker() {
  const program = process.argv[1] ?? process.cwd();
  for (const from of [program, path.join(process.cwd(), 'index.js')]) {
    try {
      return createRequire(path.resolve(from)).resolve(CSV_WORKER);
    } catch {
      // The package is not installed there.
    }
  }
  return DEFAULT_WORKER;
}

/**
 * @param {string | URL} [url]
 * @param {{ runtime?: 'isolate' | 'thread', memoryLimitMb?: number }} settings
 * @returns {{ worker: object, ready: Promise<object> }} `ready` resolves with
 *   the worker once its module was evaluated, or rejects with the reason
 */
function startWorker(url, settings) {
  const module = url || defaultWorker();
  const worker = createMessageWorker({ ...workerSettings(settings), module });
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

module.exports = { OPTIONS, startWorker };
