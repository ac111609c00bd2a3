'use strict';

const { SloppyWorkerError, workerError } = require('../sloppy-worker-error.js');
const { AdmissionStats, Outcome } = require('./admission-stats.js');
const { Code } = require('./diagnostics.gen.js');
const { append, bareList } = require('./bare.js');
const { followable } = require('./followable.js');
const { LinkedList } = require('./linked-list.js');
const { JobState } = require('./job.js');
const { schedule } = require('./timer-heap.js');
const { OwnPromise, freeze, max, min, now } = require('./primordials.js');

const DEFAULT_MAX_QUEUED_BYTES = 256 * 1024 * 1024;
const QUEUED_CANCELLED_TEXT = 'queued job was cancelled by shutdown';
const WAITERS_FULL_TEXT = 'work queue backpressure waiters are full';

/**
 * Who gets in, who waits, who is refused, and when each promise settles: the
 * one policy of WorkQueue, WorkerPool and Worker. It knows nothing about how
 * a job runs; that is its executor's:
 *
 * - `submit(job)`: take an admitted job. Must not throw; may run the job at
 *   once and may call back into the admission.
 * - `remove(job)`: true when the job had not started and now never will.
 * - `interrupt(job, reason)`: the job, which `remove` did not find, has been
 *   settled. Tell its code, and call `release(job)` when its slot is free:
 *   inside this call or later.
 * - `jobs()`: an array of the jobs it holds, oldest first. Only for stop.
 * - `requestStop?(reason)`: tell running jobs of a stop without drain.
 * - `forceStop?()`: time is up, every job was removed or interrupted.
 *
 * 1. Places are counted, not tracked: a job holds one from admission until
 *    `release`, so nobody need say when a job starts.
 * 2. Waiters are admitted oldest first, and nobody overtakes them.
 * 3. A promise settles once; whatever comes later only gives back the place.
 * 4. Foreign code runs inside watching, rechecking and most executor calls,
 *    and may re-enter: read the state again after each of them.
 */
class Admission {
  #name;
  #executor;
  #maxQueued;
  #concurrency;
  #overflow;
  #maxWaiters;
  #maxQueuedBytes;
  #fullCode;
  #stoppedCode;
  #onChange;

  #stats = new AdmissionStats();
  #waiters = new LinkedList();
  #inFlight = 0;
  #queuedBytes = 0;
  #lastId = 0;
  #idleCallbacks = bareList();
  #stopped = false;
  #cancelledByStop = 0;
  #forcedByStop = 0;

  /**
   * @param {object} options checked by the caller
   * @param {string} options.name
   * @param {number} options.maxQueued jobs beyond those that run
   * @param {number} options.concurrency
   * @param {'reject' | 'backpressure'} options.overflow
   * @param {number} options.maxBackpressureWaiters
   * @param {number} [options.maxQueuedBytes] default 256 MiB
   * @param {object} options.executor see above
   * @param {string} [options.fullCode] default SLOPPY_E_WORK_QUEUE_FULL
   * @param {string} [options.stoppedCode] default SLOPPY_E_WORK_QUEUE_STOPPED
   * @param {() => void} [options.onChange] called after a place became free or
   *   the capacity changed; must not throw
   */
  constructor(options) {
    this.#name = options.name;
    this.#executor = options.executor;
    this.#maxQueued = options.maxQueued;
    this.#concurrency = options.concurrency;
    this.#overflow = options.overflow;
    this.#maxWaiters = options.maxBackpressureWaiters;
    this.#maxQueuedBytes = options.maxQueuedBytes ?? DEFAULT_MAX_QUEUED_BYTES;
    this.#fullCode = options.fullCode ?? Code.QueueFull;
    this.#stoppedCode = options.stoppedCode ?? Code.QueueStopped;
    this.#onChange = options.onChange;
  }

  get stopped() {
    return this.#stopped;
  }

  /** @returns {number} jobs that hold a place: queued, active, or not let go */
  get inFlight() {
    return this.#inFlight;
  }

  /** @returns {boolean} jobs wait to run */
  get hasQueued() {
    return this.#inFlight > this.#concurrency || this.#waiters.size > 0;
  }

  /** @returns {number} submissions that wait for a place */
  get waiting() {
    return this.#waiters.size;
  }

  /** @returns {boolean} a submission would wait or be refused now */
  get needsDrain() {
    return this.#waiters.size > 0 || !this.#hasRoom(0);
  }

  /**
   * Admits the job, lets it wait, or refuses it. The first of these that
   * holds decides: stopped, cancelled, expired, full.
   *
   * @param {Job} job a new one
   * @returns {Promise<unknown>} what `finish` will say
   * @throws {SLOPPY_E_WORK_QUEUE_STOPPED}
   * @throws {SLOPPY_E_WORK_JOB_CANCELLED}
   * @throws {SLOPPY_E_WORK_JOB_TIMEOUT}
   * @throws {SLOPPY_E_WORK_QUEUE_FULL}
   */
  admit(job) {
    this.checkStopped();
    if (job.isWatched) {
      const refusal = job.operation.refusalWhenNew();
      if (refusal !== undefined) throw refusal;
      this.#watch(job);
      if (job.state !== JobState.New) return job.promise;
    }
    // Asked again: watching may have run code that stopped the queue.
    if (this.#waiters.size > 0 || this.#stopped || !this.#hasRoom(job.bytes)) {
      return this.#waitOrRefuse(job);
    }
    if (job.promise === null) job.open();
    this.#enter(job);
    return job.promise;
  }

  get isStopped() {
    return this.#stopped;
  }

  /**
   * For callers with checks between this one and `admit`.
   *
   * @throws {SLOPPY_E_WORK_QUEUE_STOPPED}
   */
  checkStopped() {
    if (this.#stopped) throw workerError(this.#stoppedCode);
  }

  /**
   * Counts a call that was not taken: here, or by a check before.
   *
   * @returns {string} its code; `TypeError` or `Error` for one without
   */
  refused(error) {
    const code = codeOf(error);
    this.#stats.refused += 1;
    this.#stats.blame(code);
    return code;
  }

  /**
   * The job's code is over. Settles the job unless that has happened, and
   * gives its place back.
   *
   * @param {Job} job
   * @param {number} outcome one of Outcome
   * @param {unknown} value the result, or the error to reject with
   */
  finish(job, outcome, value) {
    if (job.state === JobState.Admitted) this.#settle(job, outcome, value);
    this.release(job);
  }

  /**
   * The job's code has failed and its error is being made: settles the job
   * with what `failing` rejects with. Follow with `release`.
   *
   * @param {Job} job an admitted one
   * @param {number} outcome one of Outcome
   * @param {Promise<never>} failing
   * @param {string} code of its error
   */
  failLater(job, outcome, failing, code) {
    job.state = JobState.Settled;
    this.#stats.count(outcome);
    this.#stats.blame(code);
    job.resolve(followable(failing));
    job.forgetSettlers();
    if (job.isWatched) job.operation.unwatch();
    job.watcher?.settled(outcome, code);
  }

  /** Gives back the place of a settled job. Harmless when done before. */
  release(job) {
    if (job.state !== JobState.Settled) return;
    job.state = JobState.Released;
    this.#inFlight -= 1;
    this.#queuedBytes -= job.bytes;
    this.#afterChange();
  }

  /**
   * For executors that know when a job starts: its payload counts as queued no
   * more. Follow with `promoteWaiters` once no other job is about to start.
   */
  started(job) {
    this.#queuedBytes -= job.bytes;
    job.bytes = 0;
  }

  /**
   * Looks at signal and deadline again before a job starts: its time may be
   * over before the timer could fire, and some signals never report.
   *
   * @param {Job} job an admitted one
   * @returns {boolean} false when the job is settled and must not start
   */
  recheck(job) {
    if (!job.isWatched) return true;
    const refusal = refusalOf(job);
    if (refusal !== undefined) this.#abandon(job, refusal);
    return job.state === JobState.Admitted;
  }

  /** Admits waiters, oldest first, while there is room. */
  promoteWaiters() {
    while (!this.#stopped && this.#waiters.size > 0) {
      const job = this.#waiters.head;
      if (!this.#hasRoom(job.bytes)) return;
      const refusal = job.isWatched ? refusalOf(job) : undefined;
      if (job.state !== JobState.Waiting) continue;
      if (refusal !== undefined) {
        this.#dismiss(job, refusal);
      } else if (this.#hasRoom(job.bytes)) {
        this.#waiters.remove(job);
        this.#enter(job);
      }
    }
  }

  /** Changes how many jobs run at once; the bound on queued ones stays. */
  resize(concurrency) {
    this.#concurrency = concurrency;
    this.#afterChange();
  }

  /** @returns {Promise<void>} resolves once no job is admitted or waiting */
  drain() {
    return new OwnPromise((resolve) => this.#onceIdle(resolve));
  }

  /**
   * Refuses new jobs and waits for those admitted. May be called again, for
   * instance to give up draining; every call resolves.
   *
   * @param {object} [options]
   * @param {boolean} [options.drain] false rejects what has not started
   * @param {number} [options.timeoutMs] after that, every job left is rejected
   *   and the executor forced; undefined waits for ever
   * @param {unknown} [options.reason] for the signals of running jobs
   * @returns {Promise<Readonly<{ cancelled: number, forced: number }>>} how
   *   many were rejected before they started, and when time was up
   */
  stop({ drain = true, timeoutMs, reason = 'shutdown' } = {}) {
    this.#stopped = true;
    if (!drain) this.#cancelQueued(false);
    this.#dismissWaiters(drain);
    if (!drain) this.#executor.requestStop?.(reason);
    this.#afterChange();

    return new OwnPromise((resolve) => {
      const timer =
        timeoutMs === undefined || this.#isIdle()
          ? undefined
          : schedule(now() + timeoutMs, () => this.#force(reason));
      this.#onceIdle(() => {
        timer?.cancel();
        resolve(
          freeze({
            cancelled: this.#cancelledByStop,
            forced: this.#forcedByStop,
          }),
        );
      });
    });
  }

  /** @returns {object} frozen; later changes do not show in it */
  snapshot() {
    return freeze({
      name: this.#name,
      stopped: this.#stopped,
      queued: max(0, this.#inFlight - this.#concurrency),
      active: min(this.#inFlight, this.#concurrency),
      maxQueued: this.#maxQueued,
      concurrency: this.#concurrency,
      overflow: this.#overflow,
      stats: this.#stats.snapshot(),
    });
  }

  /** What went before was not for the caller's counters. */
  startCounting() {
    this.#stats = new AdmissionStats();
  }

  /** @returns {object} frozen: what became of the jobs so far */
  counters() {
    return this.#stats.counters(this.#waiters.size);
  }

  // A job that starts at once is never queued: its bytes do not matter.
  #hasRoom(bytes) {
    if (this.#inFlight < this.#concurrency) return true;
    return (
      this.#inFlight < this.#concurrency + this.#maxQueued &&
      this.#queuedBytes + bytes <= this.#maxQueuedBytes
    );
  }

  #enter(job) {
    this.#lastId += 1;
    job.id = this.#lastId;
    job.state = JobState.Admitted;
    this.#inFlight += 1;
    this.#queuedBytes += job.bytes;
    this.#stats.enqueued += 1;
    this.#executor.submit(job);
  }

  #waitOrRefuse(job) {
    try {
      this.checkStopped();
      this.#stats.overflow += 1;
      if (this.#overflow === 'reject') throw workerError(this.#fullCode);
      if (this.#waiters.size >= this.#maxWaiters) {
        throw workerError(this.#fullCode, WAITERS_FULL_TEXT);
      }
    } catch (refusal) {
      job.operation.unwatch();
      throw refusal;
    }
    if (job.promise === null) job.open();
    job.state = JobState.Waiting;
    this.#waiters.push(job);
    job.watcher?.waiting(job);
    return job.promise;
  }

  #watch(job) {
    job.open();
    job.operation.watch(job, this.#onCancel, this.#onExpire);
  }

  // One of each for all jobs.
  #onCancel = (job) => this.#abandon(job, job.operation.cancelError());
  #onExpire = (job) => this.#abandon(job, job.operation.timeoutError());

  /** The caller gets `error` now, wherever the job is. */
  #abandon(job, error, reason) {
    if (job.state === JobState.Admitted) {
      // Out of the queue before foreign code can look for the next job.
      const removed = this.#executor.remove(job);
      this.#settle(job, outcomeOf(error), error);
      if (removed) this.release(job);
      else this.#executor.interrupt(job, reason ?? reasonOf(job.operation));
    } else if (job.state === JobState.Waiting) {
      this.#dismiss(job, error);
      this.#afterChange();
    } else if (job.state === JobState.New) {
      // Cancelled while subscribing: refused, like one cancelled before.
      job.state = JobState.Released;
      job.reject(error);
      const code = this.refused(error);
      job.watcher?.refused(code);
    }
  }

  #dismiss(job, error) {
    this.#waiters.remove(job);
    this.#stats.dismissed += 1;
    this.#settle(job, outcomeOf(error), error);
    job.state = JobState.Released;
  }

  #settle(job, outcome, value) {
    job.state = JobState.Settled;
    this.#stats.count(outcome);
    let code;
    if (outcome === Outcome.Completed) {
      job.resolve(value);
    } else {
      job.reject(value);
      code = value.code;
      this.#stats.blame(code);
    }
    job.forgetSettlers();
    if (job.isWatched) job.operation.unwatch();
    if (job.watcher !== null) job.watcher.settled(outcome, code);
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
      if (forced) this.#forcedByStop += 1;
      else this.#cancelledByStop += 1;
      const error = forced ? forcedCancelled() : queuedCancelled();
      this.#settle(job, Outcome.Cancelled, error);
      this.release(job);
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
        job.state = JobState.Released;
        const error = workerError(this.#stoppedCode);
        job.reject(error);
        job.operation.unwatch();
        const code = this.refused(error);
        job.watcher?.refused(code);
      } else {
        this.#cancelledByStop += 1;
        this.#dismiss(job, queuedCancelled());
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
      this.#forcedByStop += 1;
      this.#abandon(job, forcedCancelled(), reason);
    }
    this.#executor.forceStop?.();
  }

  #isIdle() {
    return this.#inFlight === 0 && this.#waiters.size === 0;
  }

  #onceIdle(callback) {
    if (this.#isIdle()) callback();
    else append(this.#idleCallbacks, callback);
  }

  #afterChange() {
    if (this.#waiters.size > 0) this.promoteWaiters();
    if (this.#idleCallbacks.length > 0 && this.#isIdle()) {
      const callbacks = this.#idleCallbacks;
      this.#idleCallbacks = bareList();
      for (let i = 0; i < callbacks.length; i++) callbacks[i]();
    }
    this.#onChange?.();
  }
}

const queuedCancelled = () =>
  workerError(Code.ShutdownCancelled, QUEUED_CANCELLED_TEXT);

const forcedCancelled = () => workerError(Code.ShutdownCancelled);

/** @returns {SloppyWorkerError | undefined} why not to go on with a job */
function refusalOf(job) {
  try {
    return job.operation.refusal();
  } catch {
    // A foreign signal that can be read no more can cancel no more either.
    return workerError(Code.JobCancelled);
  }
}

const outcomeOf = (error) =>
  error.code === Code.JobTimeout ? Outcome.TimedOut : Outcome.Cancelled;

/** @returns {string} whatever a getter of the caller's may have thrown */
function codeOf(error) {
  try {
    if (error instanceof SloppyWorkerError) return error.code;
    return error instanceof TypeError ? 'TypeError' : 'Error';
  } catch {
    return 'Error';
  }
}

/** What the job's own signal is cancelled with. */
function reasonOf(operation) {
  try {
    return operation.isCancelled() ? operation.signal.reason : 'deadline';
  } catch {
    return undefined;
  }
}

module.exports = { Admission };
