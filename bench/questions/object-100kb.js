'use strict';

const { roundTrips, tripLines } = require('../lib/echo-question.js');
const { nestedObject } = require('../lib/nested-object.js');

module.exports = {
  title: 'A nested object of 100 KB there and back',
  lines: tripLines([{ peer: 'worker_threads', ratio: 0.5 }]),
  subjects: roundTrips(() => nestedObject(270)),
};
