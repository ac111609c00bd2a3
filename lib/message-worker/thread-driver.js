'use strict';

const path = require('node:path');
const { Worker } = require('node:worker_threads');

const { workerError } = require('../protocol/sloppy-worker-error.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { memoryLimitError } = require('../errors/job-error.js');
const { workerUrl } = require('../entries/module-url.js');
const {
  OUT_OF_MEMORY,
  guardFile,
  outOfMemory,
  resourceLimits,
} = require('../executors/thread/heap-limit.js');
const { Turns } = require('./turns.js');

const BOOTSTRAP = path.join(__dirname, 'thread-bootstrap.js');
const ONLINE = 'sloppy-workers/online';

/**
 * The thread runtime: Node's own worker_threads behind the driver interface of
 * message-worker.js.
 *
 * @param {import('./message-worker.js').MessageWorkerSettings} settings
 * @param {object} hooks
 * @returns {import('./message-worker.js').MessageWorkerDriver}
 */
function openThread(settings, hooks) {
  const worker = startWorker(settings);
  const turns = new Turns();
  const report = settings.inBatches
    ? (hook, ...args) => hook(...args)
    : (hook, ...args) => turns.add(hook, ...args);
  let cause;
  let ended = false;

  let online = settings.source !== undefined;
  // The first message of the bootstrap's: `[1]` when the heap's limit was
  // reached.
  let reached = online ? [0] : undefined;
  // This listener stays, because adding one later would make Node hold the
  // process.
  worker.on('message', (value) => {
    if (reached === undefined) {
      reached = value;
      return;
    }
    if (online || value !== ONLINE) {
      report(hooks.message, value);
      return;
    }
    online = true;
    report(hooks.online);
  });
  if (online) worker.on('online', hooks.online);
  worker.on('messageerror', (err) => {
    cause = workerError(Code.SerializationFailed, undefined, { cause: err });
    report(hooks.error, cause);
    worker.terminate();
  });
  worker.on('error', (err) => {
    cause = err?.code === OUT_OF_MEMORY ? memoryLimitError(err) : err;
    report(hooks.error, cause);
  });
  worker.on('exit', (code) => {
    const overHeap = reached?.[0] === 1 && !ended && cause === undefined;
    if (overHeap) {
      cause = memoryLimitError(outOfMemory());
      report(hooks.error, cause);
    }
    if (code !== 0 && !ended) cause ??= workerError(Code.Crashed);
    // Node reports 0 for a thread that it ended before its first line ran.
    report(hooks.exit, ended || overHeap ? 1 : code, cause);
  });

  return {
    postMessage: (value, transferList) => post(worker, value, transferList),
    terminate: () => {
      ended = true;
      worker.terminate();
    },
    ref: () => worker.ref(),
    unref: () => worker.unref(),
  };
}

function startWorker({ module, source, workerData, memoryLimitMb }) {
  // Node reads inherited options too.
  const options = { __proto__: null, workerData };
  if (memoryLimitMb !== undefined) {
    options.resourceLimits = resourceLimits(memoryLimitMb);
  }
  if (source !== undefined) {
    return new Worker(source, { __proto__: null, ...options, eval: true });
  }
  const argv = [workerUrl(module), guardFile()];
  return new Worker(BOOTSTRAP, { __proto__: null, ...options, argv });
}

function post(worker, value, transferList) {
  try {
    worker.postMessage(value, transferList);
  } catch (err) {
    if (err?.name !== 'DataCloneError') throw err;
    throw workerError(Code.UnsupportedPayload, undefined, { cause: err });
  }
}

module.exports = { openThread };
