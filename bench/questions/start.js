'use strict';

const { starts, startsInARow } = require('../lib/starts.js');
const { median } = require('../lib/stats.js');
const { NAME, startAlone } = require('../lib/v8-alone.js');

const subjects = {};
const asked = {
  ...starts,
  // An object needs the runtime there.
  'sloppy-workers, an object': () => starts['sloppy-workers'](() => ({})),
};
for (const [peer, start] of Object.entries(asked)) {
  subjects[peer] = async ({ quick }) => {
    await startsInARow(start, 2);
    return { round: () => startsInARow(start, quick ? 2 : 9) };
  };
}
subjects[NAME] = async ({ quick }) => ({
  round: async () => ({
    ms: median(Array.from({ length: quick ? 2 : 9 }, startAlone)),
  }),
});

module.exports = {
  title: 'A pool of one: from create to the first answer, in a warm process',
  lines: {
    ms: {
      title: 'median',
      unit: 'ms',
      better: 'lower',
      goals: [
        { peer: 'worker_threads', ratio: 1 / 15 },
        { peer: 'isolated-vm', ratio: 0.9 },
      ],
    },
  },
  subjects,
};
