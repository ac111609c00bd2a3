'use strict';

const { AdmissionStats } = require('./counters.js');
const {
  Outcome,
  outcomeOf,
  outcomeOfAbandoned,
} = require('../errors/outcome.js');
const { followable } = require('../base/followable.js');
const { JobState } = require('./job-state.js');
const { codeOf, reasonOf } = require('./refusals.js');
const { LinkedList } = require('../base/linked-list.js');
const { OwnPromise } = require('../base/primordials.js');
const { append, bareList } = require('../base/bare.js');

const sort = Function.prototype.call.bind(Array.prototype.sort);

/**
 * Ends jobs: settles each promise once, counts each end, frees each place, and
 * reports when none are left. It is the half of Admission that decides nothing.
 * The other half has `changed()`, which is called after a place became free.
 */
class Settlement {
  places;
  executor;
  /** Jobs that wait for a place, the oldest first. */
  waiters = new LinkedList();
  /** @type {Lanes | null} null before the first job with a key */
  lanes = null;
  stats = new AdmissionStats();
  #idleCallbacks = bareList();
  // Number of failures whose callers have not been notified yet.
  #failuresInFlight = 0;

  /**
   * @param {Places} places
   * @param {object} executor see Admission
   */
  constructor(places, executor) {
    this.places = places;
    this.executor = executor;
  }

  /**
   * Counts a call that was refused, here or by an earlier check.
   *
   * @returns {string} its code; `TypeError` or `Error` for one without
   */
  refused(error) {
    const code = codeOf(error);
    this.stats.refused += 1;
    this.stats.blame(code);
    return code;
  }

  /**
   * The job's code has ended. Settles the job unless it is settled, and frees
   * its place.
   *
   * @param {Job} job
   * @param {number} outcome one of Outcome
   * @param {unknown} value the result, or the error to reject with
   */
  finish(job, outcome, value) {
    if (job.state === JobState.Admitted) this.settle(job, outcome, value);
    this.release(job);
  }

  /** Finishes a job that has not run, with the outcome that its error tells. */
  fail(job, error) {
    this.finish(job, outcomeOf(codeOf(error)), error);
  }

  /**
   * The job's code has failed and its error is being made: settles the job with
   * the rejection of `failing`. Follow with `release`.
   *
   * @param {Job} job an admitted one
   * @param {number} outcome one of Outcome
   * @param {Promise<never>} failing
   * @param {string} code of its error
   */
  failLater(job, outcome, failing, code) {
    job.state = JobState.Settled;
    this.stats.count(outcome);
    this.stats.blame(code);
    job.fulfil(followable(failing));
    if (job.hasLimits) job.operation.unwatch();
    job.metrics?.settled(outcome, code);
  }

  /** Finishes a plain job, see JobSlots, that has completed. */
  complete(resolve, value, bytes) {
    this.stats.count(Outcome.Completed);
    resolve(value);
    this.places.give(bytes);
    this.changed();
  }

  /** Frees the place of a settled job. Does nothing the second time. */
  release(job) {
    if (job.state !== JobState.Settled) return;
    job.state = JobState.Released;
    this.left(job);
    this.places.give(job.bytes);
    this.changed();
  }

  /** The job is over for the other jobs of its key. */
  left(job) {
    if (job.lane !== null) this.lanes.leave(job);
  }

  /**
   * Takes a job out of where it waits.
   *
   * @returns {boolean} true when the job had not started and now never will
   */
  remove(job) {
    const isInLane = job.lane !== null && this.lanes.remove(job);
    return isInLane || this.executor.remove(job);
  }

  /**
   * @returns {PoolJob[]} the jobs that hold a place. Those that have not
   *   started stand in the order in which they will, those in lanes by age
   */
  jobs() {
    const jobs = this.executor.jobs();
    if (this.lanes === null) return jobs;
    const held = bareList();
    this.lanes.forEachHeld((job) => append(held, job));
    sort(held, (a, b) => a.id - b.id);
    for (let i = 0; i < held.length; i++) append(jobs, held[i]);
    return jobs;
  }

  /**
   * Called by executors that know when a job starts: its payload no longer counts as
   * queued. Follow with `promoteWaiters` once no other job is about to start.
   */
  started(job) {
    this.places.started(job.bytes);
    job.bytes = 0;
  }

  /**
   * Refuses a job as if it had never been admitted, although its caller has a
   * promise.
   */
  refuseOpened(job, error) {
    job.state = JobState.Released;
    this.left(job);
    job.fail(error, this);
    const code = this.refused(error);
    job.metrics?.refused(code);
  }

  /** Settles the job; its place is still taken. */
  settle(job, outcome, value) {
    job.state = JobState.Settled;
    this.stats.count(outcome);
    let code;
    if (outcome === Outcome.Completed) job.fulfil(value);
    else code = this.#reject(job, value);
    if (job.hasLimits) job.operation.unwatch();
    if (job.metrics !== null) job.metrics.settled(outcome, code);
  }

  /** @returns {string} its code */
  #reject(job, error) {
    job.fail(error, this);
    const { code } = error;
    this.stats.blame(code);
    return code;
  }

  /** The signal of a job with limits was cancelled. */
  cancelled(job, sharedStack) {
    this.abandon(job, job.operation.cancelError(sharedStack));
  }

  /** The time of a job is over. */
  expired(job) {
    if (this.executor.isDebugged?.()) job.operation.postpone();
    else this.abandon(job, job.operation.timeoutError());
  }

  /** The time of a job's run may be over. */
  runExpired(job) {
    const { executor } = this;
    const { operation } = job;
    if (executor.isDebugged?.()) {
      operation.postponeRun();
      return;
    }
    const leftMs = executor.runLeft?.(job) ?? 0;
    if (leftMs > 0) {
      operation.postponeRun(leftMs);
      return;
    }
    operation.endRun(true);
    this.abandon(job, operation.timeoutError());
  }

  /**
   * Rejects the job with `error` now, wherever it is. The promise is settled
   * first, because sending the reason may run foreign getters.
   */
  abandon(job, error, reason) {
    if (job.state === JobState.Admitted) {
      // Removed from the queue first, because foreign code may start the next
      // job.
      const removed = this.remove(job);
      this.settle(job, outcomeOfAbandoned(error), error);
      if (removed) this.release(job);
      else this.executor.interrupt(job, reason ?? reasonOf(job.operation));
    } else if (job.state === JobState.Waiting) {
      this.dismiss(job, error);
      this.changed();
    } else if (job.state === JobState.New) {
      // Cancelled while subscribing: refused, as if cancelled before.
      this.refuseOpened(job, error);
    }
  }

  /** Rejects a waiter before its admission. */
  dismiss(job, error) {
    this.waiters.remove(job);
    this.stats.dismissed += 1;
    this.settle(job, outcomeOfAbandoned(error), error);
    job.state = JobState.Released;
    this.left(job);
  }

  get isIdle() {
    return (
      this.places.taken === 0 &&
      this.waiters.size === 0 &&
      this.#failuresInFlight === 0
    );
  }

  /**
   * A failed job's error is being made. Its caller is notified before callers
   * that wait for the end. Follow with `failed`.
   */
  failing() {
    this.#failuresInFlight += 1;
  }

  /** The error is about to be thrown. */
  async failed() {
    // Two microtask turns: the job's promise, then its caller.
    await null;
    await null;
    this.#failuresInFlight -= 1;
    this.#tellIdle();
  }

  /** Calls back once no job is admitted or waiting; at once if so now. */
  onceIdle(callback) {
    if (this.isIdle) callback();
    else append(this.#idleCallbacks, callback);
  }

  /** @returns {Promise<void>} resolves once no job is admitted or waiting */
  drain() {
    return new OwnPromise((resolve) => this.onceIdle(resolve));
  }

  /** Calls back if no job is left now. */
  lookIdle() {
    if (this.#idleCallbacks.length > 0) this.#tellIdle();
  }

  #tellIdle() {
    if (!this.isIdle) return;
    const callbacks = this.#idleCallbacks;
    this.#idleCallbacks = bareList();
    for (let i = 0; i < callbacks.length; i++) callbacks[i]();
  }

  /** Resets the counters, because earlier jobs were not the caller's. */
  startCounting() {
    this.stats = new AdmissionStats();
  }
}

module.exports = { Settlement };
