'use strict';

const { SharedStack } = require('../errors/shared-stack.js');
const { Outcome } = require('../errors/outcome.js');
const { append, bareList } = require('../base/bare.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { JobState } = require('./job-state.js');
const { OwnPromise, freeze, max, now } = require('../base/primordials.js');
const { schedule } = require('../timers/timer-heap.js');

const QUEUED_CANCELLED_TEXT = 'queued job was cancelled by shutdown';

/** Stops one Admission and ends its jobs. */
class AdmissionStop {
  isForced = false;
  #admission;
  #cancelled = 0;
  #forced = 0;

  constructor(admission) {
    this.#admission = admission;
  }

  /**
   * Rejects queued and waiting jobs as `drain` requires. Running jobs continue.
   */
  begin(drain, reason) {
    if (!drain) this.#cancelQueued();
    this.#dismissWaiters(drain);
    if (!drain) this.#admission.executor.requestStop?.(reason);
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

  /**
   * Rejects jobs that wait for a place to run in. A job with a place is active
   * and goes on, even if no worker has taken it yet.
   */
  #cancelQueued() {
    const { executor, places } = this.#admission;
    const isPaused = executor.isPaused?.() === true;
    const jobs = this.#admission.jobs();
    // A job that goes on may be in a worker whose own jobs come first.
    const kept = isPaused ? 0 : countPinned(jobs);
    const queued = isPaused
      ? Infinity
      : max(places.heldBack, places.taken - kept - places.concurrency);
    const removed = this.#removeLast(jobs, queued, isPaused);
    // Counted first, because the last release may resolve the calls of `stop`.
    this.#cancelled += removed.length;
    this.#reject(removed, queuedCancelled);
  }

  /**
   * Removes up to `count` jobs that have not started, beginning with the one
   * that would start last. Follow with `#reject`.
   */
  #removeLast(jobs, count, alsoPinned) {
    const removed = bareList();
    for (let i = jobs.length - 1; i >= 0 && removed.length < count; i--) {
      const job = jobs[i];
      if (job.state !== JobState.Admitted) continue;
      if (job.isPinned && !alsoPinned) continue;
      if (!this.#admission.remove(job)) continue;
      // Settled now, because foreign code may run before its rejection.
      job.state = JobState.Settled;
      append(removed, job);
    }
    return removed;
  }

  /** Reject in submission order (removeLast() returned them newest first). */
  #reject(removed, errorOf) {
    const sharedStack = new SharedStack();
    for (let i = removed.length - 1; i >= 0; i--) {
      this.#admission.settle(
        removed[i],
        Outcome.Cancelled,
        errorOf(sharedStack),
      );
      this.#admission.release(removed[i]);
    }
  }

  #dismissWaiters(drain) {
    const sharedStack = new SharedStack();
    const waiters = this.#admission.waiters.toArray();
    for (let i = 0; i < waiters.length; i++) {
      const job = waiters[i];
      if (job.state !== JobState.Waiting) continue;
      if (drain) {
        // A waiter was never queued, so it is refused like a call after the
        // stop.
        this.#admission.waiters.remove(job);
        this.#admission.refuseOpened(job, this.#admission.stoppedError());
        if (job.hasLimits) job.operation.unwatch();
      } else {
        this.#cancelled += 1;
        this.#admission.dismiss(job, queuedCancelled(sharedStack));
      }
    }
  }

  #force(reason) {
    this.isForced = true;
    // Queued jobs are removed first, because a slot that becomes free must not
    // start one.
    const removed = this.#removeLast(this.#admission.jobs(), Infinity, true);
    this.#forced += removed.length;
    this.#reject(removed, forcedCancelled);
    const sharedStack = new SharedStack();
    const jobs = this.#admission.jobs();
    for (let i = 0; i < jobs.length; i++) {
      const job = jobs[i];
      if (job.state !== JobState.Admitted) continue;
      this.#forced += 1;
      this.#admission.abandon(job, forcedCancelled(sharedStack), reason);
    }
    this.#admission.executor.forceStop?.();
  }
}

function countPinned(jobs) {
  let count = 0;
  for (let i = 0; i < jobs.length; i++) {
    if (jobs[i].isPinned && jobs[i].state === JobState.Admitted) count += 1;
  }
  return count;
}

const queuedCancelled = (sharedStack) =>
  sharedStack.error(Code.ShutdownCancelled, QUEUED_CANCELLED_TEXT);

const forcedCancelled = (sharedStack) =>
  sharedStack.error(Code.ShutdownCancelled);

module.exports = { AdmissionStop };
