'use strict';

const { rateLines, throughput } = require('../lib/echo-question.js');
const { POOL_NAMES } = require('../peers/index.js');

const pools = {};
for (const peer of POOL_NAMES) pools[peer] = [peer, { workers: 2 }];

// Answers gather while the owner reads them: what lingering is for.
module.exports = {
  title: 'Tiny jobs, 16 in flight, two workers',
  lines: rateLines([{ peer: 'piscina', ratio: 1 }]),
  subjects: throughput(1, { pools, inFlight: 16 }),
};
