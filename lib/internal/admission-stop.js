'use strict';

const { workerError } = require('../sloppy-worker-error.js');
const { Outcome } = require('./admission-stats.js');
const { Code } = require('./diagnostics.gen.js');
const { JobState } = require('./job-state.js');
const { OwnPromise, freeze, now } = require('./primordials.js');
const { schedule } = require('./timer-heap.js');

const QUEUED_CANCELLED_TEXT = 'queued job was cancelled by shutdown';

/** What becomes of the jobs of one Admission when it stops. */
class AdmissionStop {
  #admission;
  #executor;
  #waiters;
  #cancelled = 0;
  #forced = 0;

  constructor(admission, executor, waiters) {
    this.#admission = admission;
    this.#executor = executor;
    this.#waiters = waiters;
  }

  /** Sends away whom it must; those who run go on. */
  begin(drain, reason) {
    if (!drain) this.#cancelQueued(false);
    this.#dismissWaiters(drain);
    if (!drain) this.#executor.requestStop?.(reason);
  }

  /** @returns {Promise<object>} see `Admission.stop` */
  end(timeoutMs, reason) {
    const admission = this.#admission;
    return new OwnPromise((resolve) => {
      const timer =
        timeoutMs === undefined || admission.isIdle
          ? undefined
          : schedule(now() + timeoutMs, () => this.#force(reason));
      admission.onceIdle(() => {
        timer?.cancel();
        resolve(freeze({ cancelled: this.#cancelled, forced: this.#forced }));
      });
    });
  }

  /** Rejects what has not started and never will. */
  #cancelQueued(forced) {
    const jobs = this.#executor.jobs();
    for (let i = 0; i < jobs.length; i++) {
      const job = jobs[i];
      if (job.state !== JobState.Admitted || !this.#executor.remove(job)) {
        continue;
      }
      // Counted first: the last release may resolve the calls of `stop`.
      if (forced) this.#forced += 1;
      else this.#cancelled += 1;
      const error = forced ? forcedCancelled() : queuedCancelled();
      this.#admission.settle(job, Outcome.Cancelled, error);
      this.#admission.release(job);
    }
  }

  #dismissWaiters(drain) {
    const waiters = this.#waiters.toArray();
    for (let i = 0; i < waiters.length; i++) {
      const job = waiters[i];
      if (job.state !== JobState.Waiting) continue;
      if (drain) {
        // Never queued and not cancelled by anyone: as if it came too late.
        this.#waiters.remove(job);
        this.#admission.refuseOpened(job, this.#admission.stoppedError());
        job.operation.unwatch();
      } else {
        this.#cancelled += 1;
        this.#admission.dismiss(job, queuedCancelled());
      }
    }
  }

  #force(reason) {
    // Queued jobs first: a slot that becomes free must not start one.
    this.#cancelQueued(true);
    const jobs = this.#executor.jobs();
    for (let i = 0; i < jobs.length; i++) {
      const job = jobs[i];
      if (job.state !== JobState.Admitted) continue;
      this.#forced += 1;
      this.#admission.abandon(job, forcedCancelled(), reason);
    }
    this.#executor.forceStop?.();
  }
}

const queuedCancelled = () =>
  workerError(Code.ShutdownCancelled, QUEUED_CANCELLED_TEXT);

const forcedCancelled = () => workerError(Code.ShutdownCancelled);

module.exports = { AdmissionStop };
