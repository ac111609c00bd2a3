'use strict';

const { bareEcho } = require('../lib/bare-echo.js');
const { rateLines, throughput } = require('../lib/echo-question.js');

const input = { id: 17, name: 'resize', width: 640, crop: false, ratio: 0.75 };

module.exports = {
  title: 'A small object there and back, 256 in flight, one worker',
  lines: rateLines([{ peer: 'bare worker_threads', ratio: 3 }]),
  subjects: { 'bare worker_threads': bareEcho(input), ...throughput(input) },
};
