'use strict';

const { append, bareList } = require('../base/bare.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { MAX_CONTROL_BYTES } = require('./channels.js');
const { JobState } = require('../admission/job.js');
const { POOLS_GRACE } = require('./pool-job.js');
const { schedule } = require('../timers/timer-heap.js');
const { WorkerReports } = require('./worker-reports.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const {
  OwnPromise,
  includes,
  now,
  queueMicrotask,
} = require('../base/primordials.js');
const { AbandonResult, Channel, End } = require('../protocol/wire.gen.js');

// Termination takes milliseconds, unless the code never looks.
const UNRESPONSIVE_MS = 2000;
// The same for hooks, when a pool ends: many threads may end at once then.
const STUCK_MS = 5000;

/**
 * The life cycle of executors of pools, whatever their workers run on: how a
 * job's payload is kept, how a job is refused, interrupted and given up, and how
 * all of them end.
 *
 * A runtime adds `submit` and `remove` (see Admission), `jobs`, `mail`,
 * `entries`, `host` (a PayloadEncoder), `workers` (how many threads), and
 *
 * - `setPaused(paused)`: whether workers take jobs
 * - `copyOf(encoding)`: an encoding that borrows nothing
 * - `cancelRunning(job, why)`: asks the job to end, and terminates it after
 *   `cancelGraceMs`
 * - `tryToLose(job)`: an AbandonResult; `lose(job)`: its thread is given up
 * - `sharedEncoder`, `sharedCarry`, `holdShared`, `dropShared`, `sharedTaken`: see Shares
 * - `pinned`: for jobs that are for one given worker
 * - `othersLost()`: what else was lost with it
 * - `replaceWorker()`: one has exited, or was lost, of an executor that goes on
 * - `setRef(yes)`: whether the process waits for its jobs
 * - `keepAlive(yes)`: whether the process waits for it, besides its jobs
 * - `endWorkers()`: each when it is free; `endNow()`: without waiting for
 *   `init` and `dispose`
 * - `recycleWorkers()`: lets the workers that live leave, each after its job;
 *   their numbers. `workerNumbers()`: of those that live. `identities()`: of
 *   those that live, and are known here
 * - `giveUpWorkers()`: all that are left, which have not ended by then
 * - `closed()`: no worker is left
 *
 * 1. A job has a slot (`slot >= 0`) from `submit` until `over`.
 * 2. `over` is called once for each job that was submitted.
 */
class PoolExecutor extends WorkerReports {
  settings;
  /** Whether it has `submitPlain`: see Admission. */
  takesPlain = false;
  /** Whether its jobs keep the process alive; set by `setRef`. */
  isRef = true;
  #isPaused = false;
  #closing = null;
  #workersGone = null;
  // `{ numbers, resolve }`: calls of `recycle` whose workers have not all gone.
  #recycling = bareList();

  /** @param {object} settings checked by the caller */
  constructor(settings) {
    super(settings.host);
    this.settings = settings;
  }

  /** Milliseconds that a run of a job may take, unless its call says so. */
  get runMs() {
    return this.settings.runTimeoutMs;
  }

  /** @returns {number} milliseconds of a cancelled job before its end */
  graceOf({ graceMs }) {
    return graceMs === POOLS_GRACE ? this.settings.cancelGraceMs : graceMs;
  }

  /** Called for a function that reaches more than `Reach.Nothing`. */
  needRuntime() {}

  /**
   * Calls `fn` while no worker takes a job, so that queued jobs stay queued
   * throughout. Ends a pause of the caller's as well.
   */
  whilePaused(fn) {
    this.setPaused(true);
    try {
      return fn();
    } finally {
      this.setPaused(false);
    }
  }

  /** Set by the caller: stop asks for it. */
  pause(isPaused) {
    this.#isPaused = isPaused;
    this.setPaused(isPaused);
  }

  isPaused() {
    return this.#isPaused;
  }

  /**
   * @param {number} [why] its code, for a message worker
   * @param {object} [worker] undefined: its start was not reported
   */
  workerExited(why, worker) {
    this.#workersChanged();
    if (worker !== undefined) super.workerExited(why, worker);
    if (this.#closing === null) this.replaceWorker();
    else if (this.workers === 0) this.#workersGone?.();
  }

  // --- payloads -------------------------------------------------------------

  /**
   * Makes a job with its payload encoded, the first check of every call.
   *
   * @throws {SloppyWorkerError} for a payload that cannot be sent
   */
  encode(
    value,
    transfer,
    maxBytes = this.settings.maxPayloadBytes,
    root = 'input',
  ) {
    const { carry } = this.settings;
    return this.host.encode(value, maxBytes, transfer, carry, root);
  }

  /**
   * The encoding of a job's payload, made again if others were encoded
   * meanwhile.
   */
  encodingOf(job) {
    const { host } = this;
    return job.encoding === host.encodings
      ? host.codec.last()
      : this.encode(job.value, job.transfer);
  }

  /** The job has to wait for a place, so its input is copied. */
  keep(job) {
    job.stash = this.copyOf(this.encodingOf(job));
    job.value = null;
    if (this.shares !== null) this.shares.enter(job);
  }

  /** The same for a job whose copies are sent: none moves its buffers. */
  keepForMany(job) {
    this.keep(job);
    const moved = job.stash.more?.[2] ?? [];
    for (let i = 0; i < moved.length; i++) moved[i] = false;
  }

  // --- jobs that are not to run ---------------------------------------------

  /**
   * Whether a getter of its input has ended a job while it was submitted. No
   * executor has it then, so its place is given back here.
   */
  endedInside(job) {
    if (job.state === JobState.Admitted) return false;
    this.admission.release(job);
    return true;
  }

  /**
   * The job, which has no slot any more, will not run. Reported later, because
   * the caller may not have the promise yet.
   */
  refuse(job, error) {
    queueMicrotask(() => this.admission.fail(job, error));
  }

  /**
   * Fails the queued jobs, which no worker will ever take. @param {unknown}
   * [cause]
   */
  failQueued(cause) {
    const options = cause === undefined ? undefined : { cause };
    this.endQueued(() => workerError(Code.PoolUnavailable, undefined, options));
  }

  /** @param {() => Error} makeError for each queued job */
  endQueued(makeError) {
    const jobs = this.jobs();
    for (let i = 0; i < jobs.length; i++) {
      const job = jobs[i];
      if (job.state !== JobState.Admitted || !this.remove(job)) continue;
      this.refuse(job, makeError());
    }
  }

  /** A queued job whose timer is late, because this thread was busy. */
  endLate(job) {
    this.over(job);
    this.refuse(job, workerError(Code.JobTimeout));
  }

  interrupt(job, reason) {
    // A refused job has no slot and is released in its turn.
    if (job.slot < 0) return;
    const why = job.operation.isExpired() ? End.TimedOut : End.Cancelled;
    const { concurrentJobsPerWorker } = this.settings;
    const cancelGraceMs = this.graceOf(job);
    // Code that is terminated at once needs no reason.
    if (
      why === End.Cancelled &&
      (cancelGraceMs > 0 || concurrentJobsPerWorker > 1)
    ) {
      this.sendReason(job, reason);
      // A getter of the reason's may have ended the job.
      if (job.slot < 0) return;
    }
    if (cancelGraceMs > 0 && job.channels !== null) {
      const code = why === End.TimedOut ? Code.JobTimeout : Code.JobCancelled;
      job.channels.interrupted(workerError(code));
    }
    this.cancelRunning(job, why);
    if (job.lostTimer === null) {
      this.#watchLost(job, cancelGraceMs + UNRESPONSIVE_MS);
    }
  }

  // A job whose code never checks for termination costs its thread, not the
  // pool.
  #watchLost(job, ms) {
    const abandon = () => this.#abandon(job);
    // The job itself keeps the process alive, or nothing does.
    job.lostTimer = schedule(now() + ms, abandon, { ref: false });
  }

  #abandon(job) {
    if (job.slot < 0) return;
    const result = this.tryToLose(job);
    if (result === AbandonResult.Later) {
      // Its worker is busy with another job, so check again later.
      this.#watchLost(job, UNRESPONSIVE_MS);
    } else if (result === AbandonResult.Abandoned) {
      this.lose(job);
      this.admission.release(job);
      this.#workersChanged();
      this.othersLost();
      // The system may have had no thread for another one just now.
      if (!this.isClosing) this.replaceWorker();
    }
  }

  /**
   * Sends a running job the reason of its cancellation. A reason that cannot be
   * copied, or is too large, is "cancelled" there.
   */
  sendReason(job, reason) {
    if (reason === undefined || reason === 'cancelled') return;
    try {
      this.mail(job, Channel.Reason, reason);
    } catch {
      // An error of its getters is dropped, because it may hold values.
    }
  }

  /**
   * Sends a message of the library itself, regardless of `maxPayloadBytes`.
   * Never throws, because no caller could receive the error.
   */
  control(job, channel, value, worker = undefined) {
    try {
      this.mail(job, channel, value, undefined, worker, MAX_CONTROL_BYTES);
    } catch {
      // Memory is missing for the message.
    }
  }

  /** Tells the workers that these numbers of Shares are needed no more. */
  forgetShared(numbers) {
    if (this.isClosing) return;
    const workers = this.pinned.numbers();
    for (let i = 0; i < workers.length; i++) {
      this.control(null, Channel.Shares, numbers, workers[i]);
    }
  }

  /**
   * Replaces the workers: the idle ones at once, the others when they have no
   * job any more.
   *
   * @returns {Promise<void>} resolves when they have gone
   */
  async recycle() {
    const numbers = this.recycleWorkers();
    if (numbers.length === 0) return;
    this.keepAlive(true);
    try {
      await new OwnPromise((resolve) => {
        append(this.#recycling, { numbers, resolve });
        this.#workersChanged();
      });
    } finally {
      this.keepAlive(false);
    }
  }

  /** Some have gone. */
  #workersChanged() {
    this.rounds?.workersChanged();
    const waiting = this.#recycling;
    if (waiting.length === 0) return;
    const living = this.workerNumbers();
    const isGone = (number) => !includes(living, number);
    this.#recycling = bareList();
    for (let i = 0; i < waiting.length; i++) {
      if (waiting[i].numbers.every(isGone)) waiting[i].resolve();
      else append(this.#recycling, waiting[i]);
    }
  }

  // --- the end --------------------------------------------------------------

  get isClosing() {
    return this.#closing !== null;
  }

  /**
   * Ends the threads. REQUIRES: no job is admitted any more. May be called
   * again, for instance with less time; every call waits for them.
   *
   * @param {number} [timeoutMs] after which `init` and `dispose` are terminated
   * @returns {Promise<void>} resolves when they are gone
   */
  async close(timeoutMs = Infinity) {
    const at = now() + timeoutMs;
    const timers =
      timeoutMs === Infinity
        ? []
        : [
            schedule(at, () => this.endNow()),
            schedule(at + STUCK_MS, () => this.#giveUp()),
          ];
    try {
      this.#closing ??= this.#close();
      await this.#closing;
    } finally {
      for (let i = 0; i < timers.length; i++) timers[i].cancel();
    }
  }

  endNow() {
    this.forceStop();
  }

  // Those that do not end, for instance in a system call of a hook.
  #giveUp() {
    this.giveUpWorkers();
    this.workerLost();
  }

  /** A worker was given up without a job. */
  workerLost() {
    this.#workersChanged();
    if (this.#closing !== null && this.workers === 0) this.#workersGone?.();
  }

  async #close() {
    this.keepAlive(true);
    try {
      this.endWorkers();
      if (this.workers > 0) {
        await new OwnPromise((resolve) => {
          this.#workersGone = resolve;
        });
      }
    } finally {
      this.keepAlive(false);
    }
    this.closed();
    this.entries.drop();
  }

  /** Settles a plain job that has completed. */
  complete(entry, resolve, value, bytes) {
    entry.pending -= 1;
    this.admission.complete(resolve, value, bytes);
  }
}

module.exports = { PoolExecutor };
