'use strict';

const { now } = require('../../base/own-time.js');
const { isArrayBuffer } = require('node:util').types;
const { QUEUED, RUNNING } = require('./job-queue.js');

// A job that is taken back has been copied for nothing.
const MOST_BYTES = 2 ** 20;

// Buffers alone have a copy: a job with something else could not be taken back.
const canBeCopied = ({ buffers = [] }) => buffers.every(isArrayBuffer);

const mayGoAhead = ({ bytes, operation, sent }) =>
  bytes <= MOST_BYTES && canBeCopied(sent) && !operation.isExpired();

const isAhead = (job) => job.worker?.ahead.has(job) === true;

/**
 * Queued jobs that threads which are busy, or start, have ahead of their turn: the
 * first of the queue, as many a thread as it runs at once. A thread begins them if
 * it has room and its owner, which is busy, does not say what comes next
 * (AheadQueue).
 *
 * 1. Until it has begun, such a job is queued: it has its place in the queue, and
 *    goes to whichever worker has room first.
 * 2. A worker that is ready has some only while it has no room for more, as far as
 *    its owner knows. The owner takes back, or learns that they have begun, as
 *    many as there is room for with the end of a job, or of the thread's start, at
 *    the latest. So nothing of a job reaches an owner that takes it for queued, and
 *    its worker has room without a word of the thread's.
 * 3. A worker begins them in their order, so those that have begun are its first.
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
   * No worker has room, and all that may be are started.
   *
   * @param {PinnedJobs | null} pinned for workers, which come before these
   */
  give(pinned) {
    this.#keepRule();
    const takers = this.#takers(pinned);
    if (takers.length === 0 && !this.#isMixed) return;
    this.#isMixed = false;
    const wanted = this.#next(this.#count + takers.length);
    for (const worker of this.#workers) {
      for (const job of worker.ahead.jobs) {
        if (wanted.includes(job)) continue;
        if (this.#takeBack(worker, job)) takers.push(worker);
      }
    }
    for (let i = 0; i < wanted.length; i++) {
      const job = wanted[i];
      if (job.slot !== QUEUED || isAhead(job)) continue;
      if (takers.length === 0) return;
      const [worker] = takers.splice(this.#takerFor(job, takers), 1);
      this.#giveTo(worker, job);
    }
  }

  // Rule 2, after a worker was free for other jobs and has got none.
  #keepRule() {
    if (this.#count === 0) return;
    for (const worker of this.#workers) {
      if (worker.isReady && worker.hasRoom) this.takeBackOf(worker);
    }
  }

  // Workers that may be sent another job now, once for each: those with the fewest
  // jobs come first.
  #takers(pinned) {
    const rooms = [];
    let at;
    for (const worker of this.#workers) {
      if (!worker.mayHaveAhead || pinned?.has(worker.number)) continue;
      at ??= now();
      const room = this.#roomOf(worker, at);
      const jobs = worker.load + worker.ahead.size;
      for (let i = jobs; i < jobs + room; i++) {
        rooms[i] ??= [];
        rooms[i].push(worker);
      }
    }
    return rooms.flat();
  }

  #roomOf(worker, at) {
    const { ahead, isStarting, jobsDone, load } = worker;
    // It leaves after those that it has.
    const left =
      this.#pool.settings.recycleAfterJobs - jobsDone - load - ahead.size;
    const room = isStarting
      ? ahead.room
      : ahead.worthOf(worker.present.startedAt, at);
    return Math.min(room, left);
  }

  // The first of the queue, until one that may not go ahead.
  #next(count) {
    const jobs = this.#queued.firsts(count);
    const end = jobs.findIndex((job) => !mayGoAhead(job));
    return end < 0 ? jobs : jobs.slice(0, end);
  }

  #takerFor({ home }, takers) {
    const last = this.#workers.lastOf(home);
    const at = takers.findIndex(({ number }) => number === last);
    return Math.max(at, 0);
  }

  // In the order of the queue among those that the worker has.
  #giveTo(worker, job) {
    const later = worker.ahead.jobs.filter(
      (other) => this.#queued.isBefore(job, other) && this.takeBack(other),
    );
    for (const each of [job, ...later]) {
      this.#count += 1;
      this.#pool.send(worker, each, true);
    }
  }

  /** A job has come, which may have to start before those that are ahead. */
  came(job) {
    if (this.#count === 0) return;
    for (const { ahead } of this.#workers) {
      const { last } = ahead;
      this.#isMixed ||= last !== undefined && this.#queued.isBefore(job, last);
    }
  }

  /** The worker has room: for these jobs as for all others. */
  freed(worker) {
    for (let { room } = worker; room > 0; room -= 1) {
      const { first } = worker.ahead;
      if (first === undefined) return;
      this.#takeBack(worker, first);
    }
  }

  takeBackAll() {
    if (this.#count === 0) return;
    for (const worker of this.#workers) this.takeBackOf(worker);
  }

  takeBackOf(worker) {
    for (const job of worker.ahead.jobs) this.#takeBack(worker, job);
  }

  /** REQUIRES: it is ahead @returns {boolean} false: it has begun, and runs */
  takeBack(job) {
    return this.#takeBack(job.worker, job);
  }

  #takeBack(worker, job) {
    this.#count -= 1;
    const begun = worker.ahead.end(job);
    if (begun === undefined) {
      this.#isMixed = this.#count > 0;
      return true;
    }
    this.#queued.remove(job);
    job.slot = RUNNING;
    worker.begin(begun.seq, job);
    this.#workers.hasHome(worker, job.home);
    this.#pool.started(worker, job, begun.sinceMs);
    return false;
  }

  /** @returns {boolean} false: a worker has begun the queued job, which runs */
  claim(job) {
    return !isAhead(job) || this.takeBack(job);
  }
}

module.exports = { JobsAhead };
