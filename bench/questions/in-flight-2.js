'use strict';

const { rateLines, throughput } = require('../lib/echo-question.js');
const { POOL_NAMES } = require('../peers/index.js');

const pools = {};
for (const peer of POOL_NAMES) pools[peer] = [peer, { workers: 2 }];

// Each worker waits for its next job all the time: what the looks are for.
module.exports = {
  title: 'Tiny jobs, 2 in flight, two workers',
  lines: rateLines([{ peer: 'piscina', ratio: 1 }]),
  subjects: throughput(1, { pools, inFlight: 2 }),
};
