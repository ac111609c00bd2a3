'use strict';
// Pools whose workers run several jobs that await.

const { createPool } = require('./support.js');

const shared = (options) =>
  createPool({ concurrentJobsPerWorker: 4, ...options });

/** A host function `wait`, which jobs await until it is opened. */
function gate() {
  let open;
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  let entered = 0;
  return {
    open,
    get entered() {
      return entered;
    },
    host: {
      wait: () => {
        entered += 1;
        return opened;
      },
    },
  };
}

/** Resolves when the condition holds. */
async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** A job that waits, and gives its input. */
const waits = async ({ input, host }) => {
  await host.wait();
  return input;
};

module.exports = { gate, shared, until, waits };
