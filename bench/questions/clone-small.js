'use strict';

const { CLONES, databaseRows } = require('../lib/cloned-rows.js');
const { roundTrips, tripLines } = require('../lib/echo-question.js');

module.exports = {
  title: 'One row with dates and a bigint there and back, cloned',
  lines: tripLines([{ peer: 'worker_threads', ratio: 1 }]),
  subjects: roundTrips(() => databaseRows(1), CLONES),
};
