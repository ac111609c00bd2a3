'use strict';

const { roundTrips, tripLines } = require('../lib/echo-question.js');

module.exports = {
  title: 'A string of 1 MB there and back',
  lines: tripLines([{ peer: 'worker_threads', ratio: 0.25 }]),
  subjects: roundTrips(() => 'lorem ipsum '.repeat(87_382)),
};
