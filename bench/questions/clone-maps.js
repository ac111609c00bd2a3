'use strict';

const { CLONES, databaseRows } = require('../lib/cloned-rows.js');
const { roundTrips, tripLines } = require('../lib/echo-question.js');

const maps = () => ({
  byId: new Map(databaseRows(400).map((row) => [row.id, row])),
  names: new Set(databaseRows(400).map(({ name }) => name)),
});

module.exports = {
  title: 'Maps and Sets of 100 KB there and back, cloned',
  lines: tripLines([{ peer: 'worker_threads', ratio: 1 }]),
  subjects: roundTrips(maps, CLONES),
};
