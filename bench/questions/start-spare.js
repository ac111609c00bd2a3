'use strict';

const { library } = require('../lib/library.js');
const { starts, startsInARow } = require('../lib/starts.js');

const subject =
  (peer, prepare) =>
  async ({ quick }) => {
    await startsInARow(starts[peer], 2, prepare);
    return {
      round: () => startsInARow(starts[peer], quick ? 2 : 9, prepare),
    };
  };

module.exports = {
  title:
    'A pool of one whose worker was started ahead (prewarm), beside a new Worker',
  lines: {
    ms: {
      title: 'median',
      unit: 'ms',
      better: 'lower',
      goals: [{ peer: 'worker_threads', ratio: 1 / 100 }],
    },
  },
  subjects: {
    'sloppy-workers': subject('sloppy-workers', () => library.prewarm()),
    // Node keeps none: the whole start is the only way.
    worker_threads: subject('worker_threads'),
  },
};
