'use strict';

const { bareEcho } = require('../lib/bare-echo.js');
const { rateLines, throughput } = require('../lib/echo-question.js');
const { POOL_NAMES } = require('../peers/index.js');

const pools = {
  'sloppy-workers': ['sloppy-workers', { workers: 2 }],
  'sloppy-workers, 1 worker': ['sloppy-workers', { workers: 1 }],
};
for (const peer of POOL_NAMES) pools[peer] ??= [peer, { workers: 2 }];

module.exports = {
  title: 'Tiny jobs, 256 in flight, two workers',
  lines: rateLines([{ peer: 'sloppy-workers, 1 worker', ratio: 1 }]),
  subjects: {
    'bare worker_threads': bareEcho(1, { workers: 2 }),
    ...throughput(1, { pools }),
  },
};
