'use strict';

const { bytes, milliseconds } = require('./histogram.js');
const { freeze, now } = require('../base/primordials.js');
const { JobMode, Times } = require('../protocol/wire.gen.js');

/**
 * The histograms of one pool, worker or queue. Its executor reports every job
 * here; the meter keeps no job. It is made at the first request for metrics. It
 * has the interface of JobTrace.
 */
class Meter {
  /** Start of counting in milliseconds since 1970. */
  since = performance.timeOrigin + now();
  /** Mode bits of jobs that are to be reported here. */
  bits = JobMode.Timed;
  #queueMs = milliseconds();
  #runMs = milliseconds();
  #totalMs = milliseconds();
  #cpuMs = milliseconds();
  #payloadBytes = bytes();
  #resultBytes = bytes();

  waiting(job) {
    job.waitedMs = -now();
  }

  queued(job) {
    if (job.waitedMs < 0) job.waitedMs += now();
    this.#payloadBytes.record(job.bytes);
  }

  started() {}

  retried() {}

  settled() {}

  refused() {}

  lost() {}

  /**
   * Records the end of a job's code.
   *
   * @param {Job} job
   * @param {Float64Array} times of its row (binding/delivery.cc); -1 is unknown
   * @param {number} at where the row begins
   */
  ended(job, times, at) {
    const queueMs = times[at + Times.Queued] + job.waitedMs;
    const runMs = times[at + Times.Run];
    this.#queueMs.record(queueMs);
    this.#runMs.record(runMs);
    this.#totalMs.record(queueMs + runMs);
    if (times[at + Times.Cpu] >= 0) this.#cpuMs.record(times[at + Times.Cpu]);
    if (times[at + Times.ResultBytes] >= 0)
      this.#resultBytes.record(times[at + Times.ResultBytes]);
  }

  /** @returns {object} frozen snapshots by name */
  snapshot() {
    return freeze({
      queueMs: this.#queueMs.snapshot(),
      runMs: this.#runMs.snapshot(),
      totalMs: this.#totalMs.snapshot(),
      cpuMs: this.#cpuMs.snapshot(),
      payloadBytes: this.#payloadBytes.snapshot(),
      resultBytes: this.#resultBytes.snapshot(),
    });
  }
}

module.exports = { Meter };
