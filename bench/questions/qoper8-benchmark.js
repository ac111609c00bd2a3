'use strict';

const { execFile } = require('node:child_process');
const { promisify } = require('node:util');

const { pick } = require('../lib/echo-question.js');

// The settings that each line asks of `benchmark()`: the original's.
const SETTINGS = {
  full: { poolSize: 2, maxMessages: 100_000, blockLength: 1400, delay: 10 },
  quick: { poolSize: 2, maxMessages: 2000, blockLength: 500, delay: 5 },
};

/**
 * A process of its own for every round, as the program of its documentation:
 * the start of the workers counts, and so does the delay between two blocks,
 * which shrinks by 1 ms while the queue runs empty and grows while it grows.
 */
const ownBenchmark =
  (load, more) =>
  async ({ quick }) => {
    const settings = JSON.stringify({ ...pick(SETTINGS, quick), ...more });
    const program = `${load}.then(({ benchmark }) => benchmark(${settings}))`;
    return {
      async round() {
        const run = promisify(execFile)(process.execPath, ['-e', program]);
        const { stdout } = await run;
        return { rate: Number(/rate: ([\d.]+)/.exec(stdout)[1]) };
      },
      close() {},
    };
  };

// As bench/lib/library.js has it.
const root = process.env.SLOPPY_BENCH_ROOT ?? `${__dirname}/../..`;
const ours = `Promise.resolve(require(${JSON.stringify(`${root}/lib/adapters/qoper8/benchmark.js`)}))`;
const original = require.resolve('qoper8-wt/benchmark');
const theirs = `import(${JSON.stringify(original)})`;

module.exports = {
  title:
    "QOper8's own benchmark(): 100 000 messages in blocks of 1 400, 10 ms apart at first, two workers, cold",
  lines: {
    rate: {
      title: 'messages per second',
      unit: '/s',
      better: 'higher',
      goals: [{ peer: 'qoper8-wt', ratio: 5 }],
    },
  },
  subjects: {
    'sloppy-workers': ownBenchmark(ours, {}),
    'qoper8-wt': ownBenchmark(theirs, {}),
  },
};
