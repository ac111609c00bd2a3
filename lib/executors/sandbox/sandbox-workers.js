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
  // The key that each worker serves; the one used last comes last.
  #keys = new Map();
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
      else if (key !== ALONE && this.#keys.get(worker) === key) return worker;
    }
    return unused;
  }

  #keyOf({ key }) {
    return this.#keepsAll ? undefined : (key ?? ALONE);
  }

  /** The worker is that key's from now on. */
  taken(worker, job) {
    this.#isUsed = true;
    this.#keys.delete(worker);
    this.#keys.set(worker, this.#keyOf(job));
  }

  /** Says so of the worker of a job without a key. */
  isSpent(worker) {
    return this.#keys.get(worker) === ALONE;
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
    for (const worker of this) if (worker.leaving) return;
    for (const worker of this.#keys.keys()) {
      if (!worker.isFree) continue;
      worker.leave();
      return;
    }
  }

  /** The pool ends: those that leave are not replaced. */
  leave() {
    this.#isUsed = false;
    super.leave();
  }

  delete(worker) {
    this.#keys.delete(worker);
    super.delete(worker);
  }

  lose(worker) {
    this.#keys.delete(worker);
    super.lose(worker);
  }

  endSurplus(keep) {
    this.#isUsed = false;
    super.endSurplus(keep);
  }
}

module.exports = { SandboxWorkers };
