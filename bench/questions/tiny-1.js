'use strict';

const { bareEcho } = require('../lib/bare-echo.js');
const { rateLines, throughput } = require('../lib/echo-question.js');
const { POOL_NAMES, PROMISES } = require('../peers/index.js');

const guarded = (options) => ['sloppy-workers', { options }];

const pools = {
  'sloppy-workers': ['sloppy-workers', {}],
  'sloppy-workers, function in the call': ['sloppy-workers', { inCall: true }],
  'sloppy-workers, async function': ['sloppy-workers', { job: 'promise' }],
  'sloppy-workers + timeoutMs': guarded('deadline'),
  'sloppy-workers + timeoutMs + signal': guarded('signal'),
};
for (const peer of [...POOL_NAMES, PROMISES]) pools[peer] ??= [peer, {}];

module.exports = {
  title: 'Tiny jobs, 256 in flight, one worker',
  lines: rateLines(
    [
      { peer: 'bare worker_threads', ratio: 5 },
      { peer: 'piscina', ratio: 100 },
      { peer: 'isolated-vm', ratio: 15 },
    ],
    [{ peer: 'bare worker_threads', ratio: 0.25 }],
  ),
  subjects: { 'bare worker_threads': bareEcho(1), ...throughput(1, { pools }) },
};
