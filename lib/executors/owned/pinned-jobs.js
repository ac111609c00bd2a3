'use strict';

const { PINNED, RUNNING } = require('./job-queue.js');

/** Jobs for one given worker of a pool: it takes them before all others. */
class PinnedJobs {
  #pool;
  #workers;
  // Jobs by the number of the worker: `{ job, order }`, the lowest order first.
  #waiting = new Map();

  /**
   * @param {OwnedPool} pool
   * @param {PoolWorkers} workers
   */
  constructor(pool, workers) {
    this.#pool = pool;
    this.#workers = workers;
  }

  /** @returns {number[]} of the workers that live and take jobs */
  numbers() {
    return this.#workers.numbers();
  }

  /** See the isolates'. */
  submit(job, worker, order) {
    const list = this.#waiting.get(worker) ?? [];
    const at = list.findIndex((other) => other.order > order);
    const push = () => {
      job.slot = PINNED;
      list.splice(at < 0 ? list.length : at, 0, { job, order });
      this.#waiting.set(worker, list);
    };
    this.#pool.pin(job, { push });
  }

  flush() {
    this.#pool.dispatch();
  }

  /** Does nothing, because workers are reported when they start. */
  greet() {}

  letIn() {}

  waiting(worker, jobs) {
    const list = this.#waiting.get(worker) ?? [];
    return jobs.filter((job) => list.some((other) => other.job === job));
  }

  /** @returns {boolean} whether there is one for the worker */
  has(worker) {
    return this.#waiting.has(worker);
  }

  /** @returns {PoolJob | undefined} the next one for the worker, taken out */
  take(worker) {
    const list = this.#waiting.get(worker);
    if (list === undefined) return undefined;
    const { job } = list.shift();
    if (list.length === 0) this.#waiting.delete(worker);
    job.slot = RUNNING;
    return job;
  }

  /** @returns {boolean} false: the job is not here */
  remove(job) {
    if (job.slot !== PINNED) return false;
    for (const [worker, list] of this.#waiting) {
      const at = list.findIndex((other) => other.job === job);
      if (at < 0) continue;
      list.splice(at, 1);
      if (list.length === 0) this.#waiting.delete(worker);
      break;
    }
    return true;
  }
}

module.exports = { PinnedJobs };
