'use strict';

const { CLONES, databaseRows } = require('../lib/cloned-rows.js');
const { roundTrips, tripLines } = require('../lib/echo-question.js');

module.exports = {
  title: 'Rows with dates and bigints of 100 KB there and back, cloned',
  lines: tripLines([{ peer: 'worker_threads', ratio: 1 }]),
  subjects: roundTrips(() => databaseRows(800), CLONES),
};
