'use strict';
// Queues whose jobs end when a test says so.

const { WorkQueue } = require('../../../lib/pool/work-queue.js');

/** `stats` of a queue that has had no job. */
const NO_STATS = {
  enqueued: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  timedOut: 0,
  retryExhausted: 0,
  overflow: 0,
};

const rejection = (promise) =>
  promise.then(
    () => {
      throw new Error('expected a rejection');
    },
    (error) => error,
  );

/** A queue whose jobs stay active until their gate is opened, by id. */
function gatedQueue(options) {
  const gates = new Map();
  const queue = WorkQueue.create('gated', options).process(
    ({ id }) =>
      new Promise((resolve, reject) => gates.set(id, { resolve, reject })),
  );
  return { queue, gates };
}

module.exports = { NO_STATS, gatedQueue, rejection };
