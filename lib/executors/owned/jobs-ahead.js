'use strict';

const { AHEAD, RUNNING } = require('./job-queue.js');

// One whose buffers are moved could not be taken back, and a worker is chosen for
// one with a home.
const mayGoAhead = ({ home, operation, sent }) =>
  home === 0 && sent.buffers === undefined && !operation.isExpired();

/**
 * Jobs that were sent to workers which run another one: they begin them although
 * the owner's thread may be busy then. A worker has one at most. Until it has
 * begun, a job is as one that is queued: it is taken back for a more urgent one,
 * and whenever a worker is free, because it may be the oldest.
 */
class JobsAhead {
  /** How many there are, as far as is known. */
  count = 0;
  #queued;
  #workers;

  /**
   * @param {JobQueue} queued
   * @param {PoolWorkers} workers
   */
  constructor(queued, workers) {
    this.#queued = queued;
    this.#workers = workers;
  }

  /**
   * No worker is free, and no other can be started.
   *
   * @param {(worker: PoolWorker) => boolean} isOpen
   * @param {(worker: PoolWorker, job: PoolJob) => void} send
   */
  send(isOpen, send) {
    for (const worker of this.#workers) {
      const job = this.#queued.first;
      if (job === undefined || !mayGoAhead(job)) return;
      if (!worker.mayHaveAhead || !isOpen(worker)) continue;
      this.#queued.take();
      job.slot = AHEAD;
      this.count += 1;
      send(worker, job);
    }
  }

  /** @returns {PoolJob | undefined} one that the worker has not begun, queued */
  takeBackFrom(worker) {
    const job = worker.takeBack();
    if (job === undefined) return undefined;
    if (job.slot === AHEAD) this.count -= 1;
    this.#queued.putBack(job);
    return job;
  }

  /** @returns {boolean} the job is queued again */
  takeBack(job) {
    return job.slot === AHEAD && this.takeBackFrom(job.worker) === job;
  }

  /** @returns {PoolJob[]} those of all workers for which `wanted` holds */
  workersWith(wanted) {
    if (this.count === 0) return [];
    return [...this.#workers].filter(
      ({ ahead }) => ahead !== undefined && wanted(ahead),
    );
  }

  /** The job has begun. @returns {boolean} false: that was known */
  advanced(job) {
    if (job.slot !== AHEAD) return false;
    job.slot = RUNNING;
    job.sent = null;
    this.count -= 1;
    return true;
  }
}

module.exports = { JobsAhead };
