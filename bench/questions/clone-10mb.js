'use strict';

const { CLONES, databaseRows } = require('../lib/cloned-rows.js');
const { roundTrips, tripLines } = require('../lib/echo-question.js');

module.exports = {
  title: 'Rows with dates and bigints of 10 MB there and back, cloned',
  lines: tripLines([{ peer: 'worker_threads', ratio: 1 }]),
  subjects: roundTrips(() => databaseRows(80_000), { ...CLONES, atLeast: 1 }),
};
