'use strict';

const { roundTrips, tripLines } = require('../lib/echo-question.js');

const peers = ['sloppy-workers'];
const one = roundTrips(() => 42, { peers });
const two = roundTrips(() => 42, {
  peers,
  pool: { workers: 2, minWorkers: 2 },
});

// A second worker must not take the first one's calls: what TrustPolicy is for.
module.exports = {
  title: 'A number there and back, one call at a time, two workers',
  lines: tripLines([{ peer: 'sloppy-workers, 1 worker', ratio: 1.5 }]),
  subjects: {
    'sloppy-workers': two['sloppy-workers'],
    'sloppy-workers, 1 worker': one['sloppy-workers'],
  },
};
