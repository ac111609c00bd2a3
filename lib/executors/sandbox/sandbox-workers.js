'use strict';

const { PoolWorkers } = require('../owned/pool-workers.js');

// Instead of a key, of a job that has none.
const ALONE = Symbol('alone');

/**
 * The processes of one sandbox. Each serves one key in its life, or one job
 * without a key, so that nobody finds what somebody else has left. Some are ready
 * and have run nothing: the spares.
 */
class SandboxWorkers extends PoolWorkers {
  // The key that each worker serves, and which turn its last job had.
  #keys = new WeakMap();
  #turns = 0;
  #spares;
  #maxProcesses;
  #keepsAll;
  // Spares are kept from the first job on.
  #isUsed = false;

  /**
   * @param {number} max jobs at once
   * @param {Function} Line
   * @param {object} settings of the pool
   */
  constructor(max, Line, { sandbox }) {
    super(max, Line);
    this.#spares = sandbox.spares;
    this.#maxProcesses = sandbox.maxProcesses;
    this.#keepsAll = sandbox.isOfWorker;
  }

  get #most() {
    return Math.max(this.#maxProcesses ?? this.max + this.#spares, this.max);
  }

  get hasRoom() {
    return this.size < this.#most;
  }

  get hasSurplus() {
    return this.staying > this.#most;
  }

  /** @returns {number} processes that are ready and have run nothing */
  get spares() {
    let count = 0;
    for (const worker of this) {
      if (worker.isFree && !this.#keys.has(worker)) count += 1;
    }
    return count;
  }

  get #running() {
    let count = 0;
    for (const worker of this) if (worker.load > 0) count += 1;
    return count;
  }

  /**
   * @param {PoolJob} job the next one
   * @returns {PoolWorker | undefined} one that serves its key, or nobody yet
   */
  free(job) {
    if (this.#running >= this.max) return undefined;
    const key = this.#keyOf(job);
    let unused;
    for (const worker of this) {
      if (!worker.isFree) continue;
      if (!this.#keys.has(worker)) unused ??= worker;
      else if (key !== ALONE && this.#keys.get(worker).key === key)
        return worker;
    }
    return unused;
  }

  #keyOf({ key }) {
    return this.#keepsAll ? undefined : (key ?? ALONE);
  }

  /** The worker is that key's from now on. */
  taken(worker, job) {
    this.#isUsed = true;
    this.#turns += 1;
    this.#keys.set(worker, { key: this.#keyOf(job), turn: this.#turns });
  }

  /** Says so of the worker of a job without a key. */
  isSpent(worker) {
    return this.#keys.get(worker)?.key === ALONE;
  }

  wantsMore(queued) {
    const wanted = Math.min(queued, this.max - this.#running);
    const fresh = this.spares + this.starting;
    if (fresh < wanted) {
      if (!this.hasRoom) this.#endOldest();
      return true;
    }
    // One at a time, because each takes as much of the processor as a job.
    const kept = this.#isUsed && !this.#keepsAll ? this.#spares : 0;
    return this.hasRoom && this.starting === 0 && fresh < wanted + kept;
  }

  // Makes room: the key that has waited for longest gets another one next time.
  #endOldest() {
    let oldest;
    let first = Infinity;
    for (const worker of this) {
      if (worker.leaving) return;
      const turn = worker.isFree ? this.#keys.get(worker)?.turn : undefined;
      if (turn < first) {
        oldest = worker;
        first = turn;
      }
    }
    oldest?.leave();
  }

  /** The pool ends: those that leave are not replaced. */
  leave() {
    this.#isUsed = false;
    super.leave();
  }

  endSurplus(keep) {
    this.#isUsed = false;
    super.endSurplus(keep);
  }
}

module.exports = { SandboxWorkers };
