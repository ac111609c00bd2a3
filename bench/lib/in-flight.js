'use strict';

const { rateLines, throughput } = require('./echo-question.js');
const { POOL_NAMES } = require('../peers/index.js');

const pools = {};
for (const peer of POOL_NAMES) pools[peer] = [peer, { workers: 2 }];

/** The question of so many tiny jobs in flight, on two workers. */
const inFlight = (count) => ({
  title: `Tiny jobs, ${count} in flight, two workers`,
  lines: rateLines([{ peer: 'piscina', ratio: 1 }]),
  subjects: throughput(1, { pools, inFlight: count }),
});

module.exports = { inFlight };
