'use strict';

const { AdmissionStats } = require('./counters.js');
const { Outcome } = require('../errors/outcome.js');
const { followable } = require('../base/followable.js');
const { JobState } = require('./job-state.js');
const { codeOf } = require('./refusals.js');

/**
 * How jobs end: each promise once, each end counted, each place given back.
 * The half of Admission that knows nothing of who gets in; the other has
 * `changed()`, which is called when a place became free, and `tell()`.
 */
class Settlement {
  places;
  stats = new AdmissionStats();

  /** @param {Places} places */
  constructor(places) {
    this.places = places;
  }

  /**
   * Counts a call that was not taken: here, or by a check before.
   *
   * @returns {string} its code; `TypeError` or `Error` for one without
   */
  refused(error) {
    const code = codeOf(error);
    this.stats.refused += 1;
    this.stats.blame(code);
    return code;
  }

  /**
   * The job's code is over. Settles the job unless that has happened, and
   * gives its place back.
   *
   * @param {Job} job
   * @param {number} outcome one of Outcome
   * @param {unknown} value the result, or the error to reject with
   */
  finish(job, outcome, value) {
    if (job.state === JobState.Admitted) this.settle(job, outcome, value);
    this.release(job);
  }

  /**
   * The job's code has failed and its error is being made: settles the job
   * with what `failing` rejects with. Follow with `release`.
   *
   * @param {Job} job an admitted one
   * @param {number} outcome one of Outcome
   * @param {Promise<never>} failing
   * @param {string} code of its error
   */
  failLater(job, outcome, failing, code) {
    job.state = JobState.Settled;
    this.stats.count(outcome);
    this.stats.blame(code);
    job.fulfil(followable(failing));
    if (job.isWatched) job.operation.unwatch();
    job.watcher?.settled(outcome, code);
  }

  /** As `finish` for a plain job, see JobSlots, that has completed. */
  complete(resolve, value, bytes) {
    this.stats.count(Outcome.Completed);
    resolve(value);
    this.places.give(bytes);
    this.changed();
  }

  /** Gives back the place of a settled job. Harmless when done before. */
  release(job) {
    if (job.state !== JobState.Settled) return;
    job.state = JobState.Released;
    this.places.give(job.bytes);
    this.changed();
  }

  /**
   * For executors that know when a job starts: its payload counts as queued no
   * more. Follow with `promoteWaiters` once no other job is about to start.
   */
  started(job) {
    this.places.started(job.bytes);
    job.bytes = 0;
  }

  /** As if the job had never been let in, though its caller has a promise. */
  refuseOpened(job, error) {
    job.state = JobState.Released;
    job.fail(error, this);
    const code = this.refused(error);
    job.watcher?.refused(code);
  }

  /** The job's caller has its answer; its place is still taken. */
  settle(job, outcome, value) {
    job.state = JobState.Settled;
    this.stats.count(outcome);
    let code;
    if (outcome === Outcome.Completed) job.fulfil(value);
    else code = this.#reject(job, value);
    if (job.isWatched) job.operation.unwatch();
    if (job.watcher !== null) job.watcher.settled(outcome, code);
  }

  /** @returns {string} its code */
  #reject(job, error) {
    job.fail(error, this);
    const { code } = error;
    this.stats.blame(code);
    return code;
  }

  /** What went before was not for the caller's counters. */
  startCounting() {
    this.stats = new AdmissionStats();
  }
}

module.exports = { Settlement };
