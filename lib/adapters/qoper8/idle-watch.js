'use strict';

/**
 * Dismisses workers that had nothing to do for longer than the limit. A busy
 * one over the limit is marked, and dismissed after its answer.
 */
class IdleWatch {
  #workers;
  #options;
  #log;
  #timer;

  constructor(workers, options, log) {
    this.#workers = workers;
    this.#options = options;
    this.#log = log;
  }

  start() {
    if (this.#timer !== undefined) return;
    const { checkIntervalMs } = this.#options;
    this.#timer = setInterval(() => this.#check(), checkIntervalMs);
    // The timer must not hold the process.
    this.#timer.unref();
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check() {
    const { inactivityLimitMs, stopTimeoutMs } = this.#options;
    for (const worker of this.#workers.values()) {
      if (worker.state !== 'ready') continue;
      const inactiveFor = Math.floor(performance.now() - worker.lastActivityAt);
      this.#log(`Worker ${worker.id} inactive for ${inactiveFor}`);
      this.#log(`Inactivity limit: ${inactivityLimitMs}`);
      if (inactiveFor <= inactivityLimitMs) continue;
      if (worker.idle) worker.dismiss(stopTimeoutMs, false);
      else {
        this.#log(`Worker ${worker.id} flagged for termination`);
        worker.overdue = true;
      }
    }
  }
}

module.exports = { IdleWatch };
