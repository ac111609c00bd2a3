'use strict';

const { unsupported } = require('../lib/unsupported.js');

const exports_ = require('sw:performance');

// No event loop of Node's runs in here, so there is nothing to measure.
module.exports = {
  ...exports_,
  constants: {},
  createHistogram: unsupported('perf_hooks', 'createHistogram'),
  eventLoopUtilization: unsupported('perf_hooks', 'eventLoopUtilization'),
  monitorEventLoopDelay: unsupported('perf_hooks', 'monitorEventLoopDelay'),
};
