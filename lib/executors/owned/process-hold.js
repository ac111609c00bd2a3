'use strict';

/** Whether the process waits for the workers of one OwnedPool. */
class ProcessHold {
  #pool;
  #workers;
  // Number of held jobs that do not keep the process alive.
  #loose = 0;
  // How many wait for the workers, besides the jobs.
  #kept = 0;

  /**
   * @param {OwnedPool} pool with `held` and `isRef`
   * @param {PoolWorkers} workers
   */
  constructor(pool, workers) {
    this.#pool = pool;
    this.#workers = workers;
  }

  /** The pool has more jobs, or fewer. */
  changed() {
    const { held, isRef } = this.#pool;
    const isForJobs = isRef && held.size > this.#loose;
    const wanted = isForJobs || this.#kept > 0;
    if (wanted !== this.#workers.isHolding) this.#workers.hold(wanted);
  }

  /** @param {number} change of the jobs that do not keep it alive */
  loosen(change) {
    this.#loose += change;
    this.changed();
  }

  /** @param {number} change of those that wait */
  keep(change) {
    this.#kept += change;
    this.changed();
  }
}

module.exports = { ProcessHold };
