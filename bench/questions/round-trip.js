'use strict';

const { roundTrips, tripLines } = require('../lib/echo-question.js');

module.exports = {
  title: 'A number there and back, one call at a time',
  lines: tripLines([{ peer: 'worker_threads', ratio: 1 / 15 }]),
  subjects: roundTrips(() => 42),
};
