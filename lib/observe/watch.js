'use strict';

const events = require('./events.js');
const { JobTrace } = require('./job-trace.js');
const { Meter } = require('./meter.js');
const { nameOf } = require('../entries/entries.js');
const { now } = require('../base/primordials.js');

/**
 * The observers of the jobs of one pool, worker or queue. There are none until
 * metrics are requested, a channel has a subscriber, or a tracer is set.
 */
class Watch {
  /** @type {Meter | null} */
  meter = null;
  workersStarted = 0;
  workersExited = 0;
  #isStopped = false;

  /**
   * @param {'pool' | 'worker' | 'queue'} kind
   * @param {string} name
   */
  constructor(kind, name) {
    this.kind = kind;
    this.name = name;
  }

  /**
   * @param {object | null} entry of a new job, see PoolEntries
   * @param {object | null} span of a tracer
   * @returns {Meter | JobTrace | null} the observer of that job
   */
  of(entry, span) {
    return span === null && !events.jobsAreWatched()
      ? this.meter
      : this.#trace(entry, span);
  }

  /**
   * @param {PoolJob} job
   * @param {Meter | JobTrace | null} metrics from `of`
   * @param {Function | null} [onJob] called with each job's receipt
   * @returns {Receipt | Meter | JobTrace | null} the job's observer; null
   *   if nothing observes it
   */
  withReceipt(job, metrics, onJob = null) {
    const { receipt } = job;
    if (receipt === null && onJob === null) return metrics;
    const { Receipt } = require('./receipt.js');
    return new Receipt(job, metrics, [receipt, onJob]);
  }

  #trace(entry, span) {
    return new JobTrace(this, entry === null ? '' : nameOf(entry), span);
  }

  /** Histograms count from now on. */
  measure() {
    this.meter ??= new Meter();
    return this.meter;
  }

  /** Reports a refused call. @param {string} code */
  refused(code) {
    events.publish(events.JobEvent.refused, () => this.#about({ code }));
  }

  created(resource) {
    events.publish(events.poolCreated, () => this.#about({ resource }));
  }

  stopped() {
    if (this.#isStopped) return;
    this.#isStopped = true;
    events.publish(events.poolStopped, () => this.#about());
  }

  workerStarted({ workers }, worker) {
    this.workersStarted += 1;
    events.publish(events.workerStarted, () =>
      this.#about({ workers, worker }),
    );
  }

  workerExited({ workers }, worker) {
    this.workersExited += 1;
    events.publish(events.workerExited, () => this.#about({ workers, worker }));
  }

  #about(more) {
    const { kind, name } = this;
    return { kind, name, at: now(), ...more };
  }
}

module.exports = { Watch };
