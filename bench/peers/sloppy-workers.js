'use strict';

const { jobs } = require('../jobs.js');
const { library } = require('../lib/library.js');

/** Makes the same job, another each time, in the form for `WorkerPool.run`. */
function poolFunctions(name) {
  return new Function(`return () => ({ input }) => (${jobs[name]})(input)`)();
}

const asPoolFunction = (name) => poolFunctions(name)();

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
 * @param {boolean} [setting.inCall] the function is written where it is
 *   passed, so that each call has one of its own
 */
function open({ workers = 1, job, pool: more, options = 'plain', inCall }) {
  const pool = library.WorkerPool.create('bench', {
    workers,
    maxQueued: 1_000_000,
    ...more,
  });
  const make = poolFunctions(job);
  const run = make();
  const optionsOf = OPTIONS[options]();
  return {
    call: inCall
      ? (input, transfer) => pool.run(make(), optionsOf(input, transfer))
      : (input, transfer) => pool.run(run, optionsOf(input, transfer)),
    close: () => pool.stop({ drain: false, timeoutMs: 1000 }),
  };
}

module.exports = { asPoolFunction, open };
