'use strict';

const { now } = require('../../base/own-time.js');
const { QUEUED, RUNNING } = require('./job-queue.js');

// A job that is taken back has been copied for nothing.
const MOST_BYTES = 2 ** 20;

// One whose buffers are moved could not be taken back, and a worker is chosen for
// one with a home.
const mayGoAhead = ({ bytes, home, operation, sent }) =>
  bytes <= MOST_BYTES &&
  home === 0 &&
  sent.buffers === undefined &&
  !operation.isExpired();

const isAhead = (job) => job.worker?.ahead.job === job;

/**
 * Queued jobs that threads which are busy, or start, have ahead of their turn: the
 * first of the queue, one a thread. A thread begins it if it has no other and its
 * owner, which is busy, does not say what comes next (JobAhead).
 *
 * 1. Until it has begun, such a job is queued: it has its place in the queue, and
 *    goes to whichever worker is free first.
 * 2. The owner takes it back, or learns that it has begun, with the end of the
 *    job before it, or of the thread's start, at the latest. So nothing of the
 *    job reaches an owner that takes it for queued, and its worker is free
 *    without a word of the thread's.
 */
class JobsAhead {
  #pool;
  #queued;
  #workers;
  #count = 0;
  // One that is not ahead may come before one that is.
  #isMixed = false;

  /**
   * @param {OwnedPool} pool
   * @param {JobQueue} queued
   * @param {PoolWorkers} workers
   */
  constructor(pool, queued, workers) {
    this.#pool = pool;
    this.#queued = queued;
    this.#workers = workers;
  }

  /**
   * No worker is free, and all that may be are started.
   *
   * @param {PinnedJobs | null} pinned for workers, which come before these
   */
  give(pinned) {
    const takers = this.#takers(pinned);
    if (takers.length === 0 && !this.#isMixed) return;
    this.#isMixed = false;
    const wanted = this.#next(this.#count + takers.length);
    for (const worker of this.#workers) {
      const { job } = worker.ahead;
      if (job === null || wanted.includes(job)) continue;
      if (this.takeBack(worker)) takers.push(worker);
    }
    for (let i = 0; i < wanted.length; i++) {
      const job = wanted[i];
      if (job.slot !== QUEUED || isAhead(job)) continue;
      const worker = takers.shift();
      if (worker === undefined) return;
      this.#count += 1;
      this.#pool.send(worker, job, true);
    }
  }

  // Workers that may be sent another job now.
  #takers(pinned) {
    const { recycleAfterJobs } = this.#pool.settings;
    const takers = [];
    let at;
    for (const worker of this.#workers) {
      if (!worker.mayHaveAhead || pinned?.has(worker.number)) continue;
      if (worker.isStarting) {
        takers.push(worker);
        continue;
      }
      // It leaves after the present one.
      if (worker.jobsDone + 1 >= recycleAfterJobs) continue;
      at ??= now();
      const { startedAt } = worker.present;
      if (worker.ahead.isWorthIt(startedAt, at)) takers.push(worker);
    }
    return takers;
  }

  // The first of the queue, until one that may not go ahead.
  #next(count) {
    const jobs = this.#queued.firsts(count);
    const end = jobs.findIndex((job) => !mayGoAhead(job));
    return end < 0 ? jobs : jobs.slice(0, end);
  }

  /** A job has come, which may have to start before those that are ahead. */
  came(job) {
    if (this.#count === 0) return;
    for (const { ahead } of this.#workers) {
      const other = ahead.job;
      this.#isMixed ||= other !== null && this.#queued.isBefore(job, other);
    }
  }

  takeBackAll() {
    if (this.#count === 0) return;
    for (const worker of this.#workers) this.takeBack(worker);
  }

  /**
   * @returns {boolean} false: the worker has begun it, which runs, so that what
   *   it ran before is over
   */
  takeBack(worker) {
    const { job } = worker.ahead;
    if (job === null) return true;
    this.#count -= 1;
    const begun = worker.ahead.end();
    if (begun === undefined) {
      this.#isMixed = this.#count > 0;
      return true;
    }
    this.#queued.remove(job);
    job.slot = RUNNING;
    worker.begin(begun.seq, job);
    this.#pool.started(worker, job, begun.sinceMs);
    return false;
  }

  /** @returns {boolean} false: a worker has begun the queued job, which runs */
  claim(job) {
    return !isAhead(job) || this.takeBack(job.worker);
  }
}

module.exports = { JobsAhead };
