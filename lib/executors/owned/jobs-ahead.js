'use strict';

const { now } = require('../../base/own-time.js');
const { isArrayBuffer } = require('node:util').types;
const { QUEUED, RUNNING } = require('./job-queue.js');

// Buffers alone have a copy: a job with something else could not be taken back.
const canBeCopied = ({ buffers = [] }) => buffers.every(isArrayBuffer);

const mayGoAhead = ({ operation, sent }) =>
  canBeCopied(sent) && !operation.isExpired();

// How long the worker's present job has run.
const sinceOf = (worker) =>
  worker.load === 0 ? 0 : now() - worker.present.startedAt;

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
 * 4. A job that its key holds back (Lanes) is ahead only of a worker that runs one
 *    job at a time, and now the one for whose place it waits: a follower. It is
 *    not queued, so it gives way to any job that is.
 */
class JobsAhead {
  #pool;
  #queued;
  #workers;
  #count = 0;
  // Those of them that are followers.
  #followers = 0;
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
    if (this.#unplaced > takers.length) takers.push(...this.#leadersFreed());
    if (takers.length === 0 && !this.#isMixed) return;
    this.#isMixed = false;
    const wanted = this.#next(this.#count + takers.length);
    for (const worker of this.#workers) {
      for (const job of worker.ahead.jobs) {
        if (job.slot !== QUEUED || wanted.includes(job)) continue;
        if (this.#takeBack(worker, job)) takers.push(worker);
      }
    }
    for (let i = 0; i < wanted.length; i++) {
      const job = wanted[i];
      if (job.slot !== QUEUED || isAhead(job)) continue;
      const at = this.#takerFor(job, takers);
      if (at < 0) {
        // None of them starts before it.
        for (const later of wanted.slice(i)) this.claim(later);
        return;
      }
      const [worker] = takers.splice(at, 1);
      this.#giveTo(worker, job);
    }
    if (this.#unplaced === 0) this.#giveFollowers(takers);
  }

  /** Number of queued jobs that no worker has ahead. */
  get #unplaced() {
    return this.#queued.size - (this.#count - this.#followers);
  }

  // The workers whose followers give way to queued jobs.
  #leadersFreed() {
    const freed = [];
    if (this.#followers === 0) return freed;
    for (const worker of this.#workers) {
      for (const job of worker.ahead.jobs) {
        if (job.slot === QUEUED) continue;
        if (this.#takeBack(worker, job)) freed.push(worker);
      }
    }
    return freed;
  }

  #giveFollowers(takers) {
    const { lanes } = this.#pool.admission;
    if (lanes === null || this.#pool.settings.concurrentJobsPerWorker > 1)
      return;
    for (const worker of takers) {
      if (worker.isStarting) continue;
      const job = lanes.nextAfter(worker.present);
      if (job === undefined || isAhead(job)) continue;
      if (!canBeCopied(job.stash) || job.operation.isExpired()) continue;
      if (!worker.ahead.takes(job.bytes, sinceOf(worker))) continue;
      this.#count += 1;
      this.#followers += 1;
      this.#pool.lend(worker, job);
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

  /** @returns {number} the place of the job's worker among those; -1: none takes it */
  #takerFor({ bytes, home }, takers) {
    const takes = (worker) => worker.ahead.takes(bytes, sinceOf(worker));
    const last = this.#workers.lastOf(home);
    const at = takers.findIndex((it) => it.number === last && takes(it));
    return at < 0 ? takers.findIndex(takes) : at;
  }

  // In the order of the queue among those that the worker has.
  #giveTo(worker, job) {
    const later = worker.ahead.jobs.filter(
      (other) => this.#queued.isBefore(job, other) && this.takeBack(other),
    );
    for (const each of [job, ...later]) {
      const mayHave = worker.ahead.takes(each.bytes, sinceOf(worker));
      if (each !== job && !mayHave) return;
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
    const isFollower = job.slot !== QUEUED;
    this.#count -= 1;
    if (isFollower) this.#followers -= 1;
    const begun = worker.ahead.end(job);
    if (begun === undefined) {
      this.#isMixed = this.#count > 0;
      if (isFollower) this.#pool.lentBack(job);
      return true;
    }
    if (isFollower) this.#pool.lentBegan(job, begun.sinceMs);
    else this.#queued.remove(job);
    job.slot = RUNNING;
    worker.begin(begun.seq, job);
    this.#workers.hasHome(worker, job.home);
    this.#pool.started(worker, job, begun.sinceMs);
    return false;
  }

  /** @returns {boolean} false: a worker has begun the job, which runs */
  claim(job) {
    return !isAhead(job) || this.takeBack(job);
  }

  /** The same for a job that is cancelled, or queued elsewhere. */
  drop(job) {
    if (!isAhead(job)) return true;
    const { worker } = job;
    if (!this.takeBack(job)) return false;
    worker.ahead.dropped();
    return true;
  }
}

module.exports = { JobsAhead };
