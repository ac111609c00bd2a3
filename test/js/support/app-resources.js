'use strict';

/** A resource of any kind, reduced to the hooks that the app calls. */
function resource(metadata, { start, stop = async () => {} } = {}) {
  return {
    __sloppyWorkerResource: metadata.kind,
    __sloppyPlanMetadata: () => metadata,
    __sloppyStartForApp: start,
    __sloppyStopForApp: stop,
  };
}

/** The plan metadata of one resource of each kind. */
const KINDS = [
  { kind: 'backgroundService', name: 'a', start: 'app', shutdown: 'x' },
  {
    kind: 'workQueue',
    name: 'b',
    maxQueued: 5,
    concurrency: 2,
    overflow: 'reject',
  },
  { kind: 'workerPool', name: 'c', workers: 2, maxQueued: 64 },
  { kind: 'jsWorker', path: '/d.mjs', memoryLimitMb: 128 },
];

/** A service's handler that ends when its signal is cancelled. */
const obedient = ({ signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', resolve));

/** One that never ends. */
const never = () => new Promise(() => {});

module.exports = { KINDS, never, obedient, resource };
