'use strict';

const { startTimer, stopTimer } = require('../base/own-time.js');
const { timerMs } = require('../base/timer-ms.js');

/** Ends the workers of one pool that have had nothing to do for a while. */
class IdleWorkers {
  #core;
  #timer = null;
  #settledAtLastLook = 0;
  #isStopped = false;

  /** @param {PoolCore} core `idleTimeoutMs` of its policy is finite */
  constructor(core) {
    this.#core = core;
  }

  /**
   * No job is left. One timer for all jobs, which checks whether a job ran
   * since it was set.
   */
  watch() {
    // A pool may be resized after its stop.
    if (this.#isStopped) return;
    this.#timer ??= startTimer(
      () => this.#look(),
      timerMs(this.#core.policy.idleTimeoutMs),
    ).unref();
  }

  stop() {
    this.#isStopped = true;
    if (this.#timer !== null) stopTimer(this.#timer);
    this.#timer = null;
  }

  #look() {
    this.#timer = null;
    const { admission } = this.#core;
    const { enqueued } = admission.snapshot().stats;
    const quiet = enqueued === this.#settledAtLastLook;
    this.#settledAtLastLook = enqueued;
    if (admission.inFlight > 0) return;
    if (!quiet || !this.#trim()) this.watch();
  }

  /** @returns {boolean} false while there are more workers than `minWorkers` */
  #trim() {
    const { executor, policy } = this.#core;
    // The pool was resized before its first job.
    if (executor === null) return true;
    executor.trim(policy.minWorkers);
    // A worker may not be idle yet since its last job.
    return executor.workers <= policy.minWorkers;
  }
}

module.exports = { IdleWorkers };
