'use strict';

// The library is loaded by the subject: it reads then how realms are made.
async function begin({ quick }) {
  const { starts, startsInARow } = require('../lib/starts.js');
  // They are there for who names one of them, or the global object.
  const start = () => starts['sloppy-workers'](() => typeof globalThis);
  await startsInARow(start, 4);
  return { round: () => startsInARow(start, quick ? 4 : 40) };
}

function withoutGlobals() {
  const realm = require('../../lib/executors/realm-options.js');
  const { realmOptions } = realm;
  realm.realmOptions = (settings) => ({
    ...realmOptions(settings),
    globals: false,
  });
}

module.exports = {
  title: 'A pool of one with all globals in its worker, beside none',
  lines: {
    ms: {
      title: 'median',
      unit: 'ms',
      better: 'lower',
      goals: [{ peer: 'without globals', ratio: 1.05 }],
    },
  },
  subjects: {
    'sloppy-workers': begin,
    'without globals': (options) => {
      withoutGlobals();
      return begin(options);
    },
  },
};
