'use strict';

const { Times } = require('../../protocol/wire.gen.js');

// CPU time and the size of results are not measured.
const times = new Float64Array([0, 0, -1, -1, -1, -1]);

/** Tells a job's metrics of its end. REQUIRES: it has metrics */
function measured(job, queuedMs, runMs, worker) {
  times[Times.Queued] = queuedMs;
  times[Times.Run] = runMs;
  times[Times.Worker] = worker;
  job.metrics.ended(job, times, 0);
}

module.exports = { measured };
