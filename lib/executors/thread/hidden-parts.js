'use strict';

const { syncBuiltinESMExports } = require('node:module');
const workerThreads = require('node:worker_threads');

/**
 * Called in a worker thread before the jobs' code: takes what belongs to the
 * pool out of its sight. `parentPort` stays, as Node made it: the pool hears
 * what jobs post there, and sends nothing.
 *
 * @param {...MessagePort} ports of the pool's own
 */
function hideFromJobs(...ports) {
  workerThreads.workerData = null;
  syncBuiltinESMExports();
  // Tools that look for what keeps a process alive, and close it.
  const { _getActiveHandles: all } = process;
  if (typeof all !== 'function') return;
  const isHidden = (handle) => ports.includes(handle);
  Object.defineProperty(process, '_getActiveHandles', {
    configurable: true,
    writable: true,
    enumerable: true,
    value: () =>
      Reflect.apply(all, process, []).filter((handle) => !isHidden(handle)),
  });
}

module.exports = { hideFromJobs };
