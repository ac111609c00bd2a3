'use strict';

const { PINNED, RUNNING } = require('./job-queue.js');

/** Jobs for one given thread of a pool: it takes them before all others. */
class PinnedJobs {
  #pool;
  #threads;
  // By the number of the thread: `{ job, order }`, the lowest order first.
  #waiting = new Map();

  /**
   * @param {ThreadPool} pool
   * @param {PoolThreads} threads
   */
  constructor(pool, threads) {
    this.#pool = pool;
    this.#threads = threads;
  }

  /** @returns {number[]} of the threads that live and take jobs */
  numbers() {
    return this.#threads.numbers();
  }

  /** See the isolates'. */
  submit(job, thread, order) {
    const list = this.#waiting.get(thread) ?? [];
    const at = list.findIndex((other) => other.order > order);
    const push = () => {
      job.slot = PINNED;
      list.splice(at < 0 ? list.length : at, 0, { job, order });
      this.#waiting.set(thread, list);
    };
    this.#pool.pin(job, { push });
  }

  flush() {
    this.#pool.dispatch();
  }

  /** Does nothing, because threads are reported when they start. */
  greet() {}

  letIn() {}

  waiting(thread, jobs) {
    const list = this.#waiting.get(thread) ?? [];
    return jobs.filter((job) => list.some((other) => other.job === job));
  }

  /** @returns {PoolJob | undefined} the next one for the thread, taken out */
  take(thread) {
    const list = this.#waiting.get(thread);
    if (list === undefined) return undefined;
    const { job } = list.shift();
    if (list.length === 0) this.#waiting.delete(thread);
    job.slot = RUNNING;
    return job;
  }

  /** @returns {boolean} false: the job is not here */
  remove(job) {
    if (job.slot !== PINNED) return false;
    for (const [thread, list] of this.#waiting) {
      const at = list.findIndex((other) => other.job === job);
      if (at < 0) continue;
      list.splice(at, 1);
      if (list.length === 0) this.#waiting.delete(thread);
      break;
    }
    return true;
  }
}

module.exports = { PinnedJobs };
