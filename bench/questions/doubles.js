'use strict';

const { roundTrips, tripLines } = require('../lib/echo-question.js');

module.exports = {
  title: 'An array of 10 000 doubles there and back',
  lines: tripLines([{ peer: 'worker_threads', ratio: 0.5 }]),
  subjects: roundTrips(() => Array.from({ length: 10_000 }, (_, n) => n / 7)),
};
