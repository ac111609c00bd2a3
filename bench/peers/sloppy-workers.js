'use strict';

const { jobs } = require('../jobs.js');
const { library } = require('../lib/library.js');

/** The same job in the form that `WorkerPool.run` takes. */
function asPoolFunction(name) {
  return new Function(`return ({ input }) => (${jobs[name]})(input)`)();
}

/** The options of a call, by what every call carries. */
const OPTIONS = {
  plain: () => (input) => ({ input }),
  transfer: () => (input, transfer) => ({ input, transfer }),
  deadline: () => (input) => ({ input, timeoutMs: 60_000 }),
  signal: () => {
    const { signal } = new AbortController();
    return (input) => ({ input, timeoutMs: 60_000, signal });
  },
};

/**
 * @param {object} setting
 * @param {number} [setting.workers]
 * @param {string} setting.job
 * @param {object} [setting.pool] more options of `WorkerPool.create`
 * @param {keyof OPTIONS} [setting.options]
 */
function open({ workers = 1, job, pool: more, options = 'plain' }) {
  const pool = library.WorkerPool.create('bench', {
    workers,
    maxQueued: 1_000_000,
    ...more,
  });
  const run = asPoolFunction(job);
  const optionsOf = OPTIONS[options]();
  return {
    call: (input, transfer) => pool.run(run, optionsOf(input, transfer)),
    close: () => pool.stop({ drain: false, timeoutMs: 1000 }),
  };
}

module.exports = { asPoolFunction, open };
