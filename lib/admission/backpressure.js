'use strict';

const { workerError } = require('../protocol/sloppy-worker-error.js');
const { JobState } = require('./job-state.js');
const { failureOf, refusalOf } = require('./refusals.js');

const WAITERS_FULL_TEXT = 'work queue backpressure waiters are full';

/**
 * Refuses a job for which one Admission has no place, or lets it wait, with its
 * promise, until there is one.
 */
class Backpressure {
  #admission;
  #overflow;
  #maxWaiters;
  #fullCode;

  /**
   * @param {Admission} admission
   * @param {object} options of Admission
   * @param {string} fullCode
   */
  constructor(admission, { overflow, maxBackpressureWaiters }, fullCode) {
    this.#admission = admission;
    this.#overflow = overflow;
    this.#maxWaiters = maxBackpressureWaiters;
    this.#fullCode = fullCode;
  }

  /**
   * @param {Job} job a new one
   * @param {Promise<unknown>} [opened] its promise, if it was made
   * @returns {Promise<unknown>} its promise
   * @throws {SLOPPY_E_WORK_QUEUE_STOPPED}
   * @throws {SLOPPY_E_WORK_QUEUE_FULL}
   */
  waitOrRefuse(job, opened) {
    const admission = this.#admission;
    try {
      admission.checkStopped();
      admission.stats.overflow += 1;
      if (this.#overflow === 'reject') throw workerError(this.#fullCode);
      if (admission.waiters.size >= this.#maxWaiters) {
        throw workerError(this.#fullCode, WAITERS_FULL_TEXT);
      }
    } catch (refusal) {
      if (job.hasLimits) job.operation.unwatch();
      admission.left(job);
      throw refusal;
    }
    const promise = opened ?? job.open();
    job.state = JobState.Waiting;
    admission.waiters.push(job);
    try {
      admission.executor.keep?.(job);
    } catch (error) {
      // A getter of its input may have settled it before.
      if (job.state === JobState.Waiting) {
        this.#forget(job);
        throw error;
      }
    }
    if (job.state === JobState.Waiting) job.metrics?.waiting(job);
    return promise;
  }

  // Its promise is not handed out.
  #forget(job) {
    const admission = this.#admission;
    admission.waiters.remove(job);
    job.state = JobState.Released;
    if (job.hasLimits) job.operation.unwatch();
    admission.left(job);
  }

  /** Admits waiters, oldest first, while there is room. */
  promote() {
    const admission = this.#admission;
    const { places, waiters } = admission;
    while (!admission.stopped && waiters.size > 0) {
      const job = waiters.head;
      if (!places.hasRoomFor(job.bytes)) return;
      const refusal = job.hasLimits ? refusalOf(job) : undefined;
      if (job.state !== JobState.Waiting) continue;
      if (refusal !== undefined) {
        admission.dismiss(job, refusal);
      } else if (places.take(job.bytes)) {
        waiters.remove(job);
        this.#enterLater(job);
      }
    }
  }

  // Enters a job whose caller already has its promise.
  #enterLater(job) {
    try {
      this.#admission.enter(job);
    } catch (error) {
      if (job.state === JobState.Released) {
        this.#admission.refuseOpened(job, failureOf(error));
      }
    }
  }
}

module.exports = { Backpressure };
