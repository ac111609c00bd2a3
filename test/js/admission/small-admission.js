'use strict';

const { Admission } = require('../../../lib/admission/admission.js');

/** @returns {Admission} with room for one job, one more and two that wait */
const admissionOf = (executor, options) =>
  new Admission({
    name: 'pool:pool',
    maxQueued: 1,
    concurrency: 1,
    overflow: 'backpressure',
    maxBackpressureWaiters: 2,
    executor,
    ...options,
  });

module.exports = { admissionOf };
