'use strict';

const { workerError } = require('../protocol/sloppy-worker-error.js');
const { AdmissionStop } = require('./stop.js');
const { Backpressure } = require('./backpressure.js');
const { CallKind } = require('./call.js');
const { bareList } = require('../base/bare.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { JobState } = require('./job-state.js');
const { Places } = require('./places.js');
const { freeze } = require('../base/primordials.js');
const { refusalOf } = require('./refusals.js');
const { Settlement } = require('./settlement.js');
const { asksForRoom, asksForSome } = require('../base/stack-room.js');

// Number of plain jobs that check the stack for room.
const FIRST_JOBS = 10_000;
const needRoomForPlain = asksForSome();
const needRoom = asksForRoom();
const NO_LIMITS_PER_KEY = freeze({ maxPerKey: 1, maxQueuedPerKey: Infinity });

/** The executor of a pool before its first job. */
const NO_EXECUTOR = freeze({ jobs: bareList, isPaused: () => false });

/**
 * Decides which jobs are admitted, wait or are refused, and when each promise
 * settles: the one policy of WorkQueue, WorkerPool and Worker. It does not know
 * how a job runs. That is the executor's task:
 *
 * - `submit(job)`: take an admitted job. Throws only before it holds the job;
 *   may run the job at once and may call back into the admission.
 * - `submitPlain(entry, call, id)` if it `takesPlain`: the same for a job that
 *   is no object (see JobSlots); returns its promise, and calls `complete` if all goes well
 * - `keep?(job)`: the job will wait for a place: copy its input. May throw; the
 *   job is refused then.
 * - `remove(job)`: true when the job had not started and now never will.
 * - `interrupt(job, reason)`: the job, which `remove` did not find, has been
 *   settled. Tell its code, and call `release(job)` when its slot is free:
 *   inside this call or later.
 * - `heldBack?()`: a job waits for its key, see Lanes. `claimHeld?(job)`: such a
 *   one is to go elsewhere; false if the executor has begun it (`Lanes#began`)
 * - `jobs()`: an array of the jobs it holds; those that have not started stand
 *   in the order in which they will. Only for stop.
 * - `isPaused?()`: true while it starts none of them.
 * - `requestStop?(reason)`: report a stop without drain to running jobs.
 * - `isDebugged?()`: true while no job's time is over, because a debugger may
 *   hold its threads unseen.
 * - `runLeft?(job)`: milliseconds until the job's run takes too long; default 0
 * - `forceStop?()`: time is up, every job was removed or interrupted.
 *
 * 1. A job holds a place from admission until `release`.
 * 2. Waiters are admitted oldest first, and nobody overtakes them.
 * 3. A promise settles once; whatever comes later only gives back the place.
 * 4. Foreign code runs inside watching, rechecking and most executor calls,
 *    and may re-enter: read the state again after each of them.
 */
class Admission extends Settlement {
  #name;
  #overflow;
  #fullCode;
  #stoppedCode;
  #onChange;
  #perKey;
  #backpressure;

  #lastId = 0;
  #asksForRoom = FIRST_JOBS;
  #stopped = false;
  #stop;

  /**
   * @param {object} options checked by the caller
   * @param {string} options.name
   * @param {number} options.maxQueued jobs besides running ones
   * @param {number} options.concurrency
   * @param {'reject' | 'backpressure'} options.overflow
   * @param {number} options.maxBackpressureWaiters
   * @param {number} [options.maxQueuedBytes] default 256 MiB
   * @param {object} [options.executor] see above; default one without jobs,
   *   until another is set
   * @param {string} [options.fullCode] default SLOPPY_E_WORK_QUEUE_FULL
   * @param {string} [options.stoppedCode] default SLOPPY_E_WORK_QUEUE_STOPPED
   * @param {object} [options.perKey] `maxPerKey`, `maxQueuedPerKey` and
   *   `affinity`, see Lanes; default one job of a key at a time
   * @param {() => void} [options.onChange] called after a place became free or
   *   the capacity changed; must not throw
   */
  constructor(options) {
    super(new Places(options), options.executor ?? NO_EXECUTOR);
    this.#name = options.name;
    this.#overflow = options.overflow;
    this.#fullCode = options.fullCode ?? Code.QueueFull;
    this.#stoppedCode = options.stoppedCode ?? Code.QueueStopped;
    this.#onChange = options.onChange;
    this.#perKey = options.perKey ?? NO_LIMITS_PER_KEY;
    this.#stop = new AdmissionStop(this);
    this.#backpressure = new Backpressure(this, options, this.#fullCode);
  }

  /**
   * Makes the admission of an executor with one job at a time and one caller.
   *
   * @param {PoolExecutor} executor
   * @returns {Admission} known to its executor
   */
  static forOne(name, executor) {
    const admission = new Admission({
      name,
      maxQueued: 1,
      concurrency: 1,
      overflow: 'reject',
      maxBackpressureWaiters: 1,
      executor,
    });
    executor.attach(admission);
    return admission;
  }

  get stopped() {
    return this.#stopped;
  }

  /**
   * @returns {number} jobs that hold a place: queued, active, or not released
   */
  get inFlight() {
    return this.places.taken;
  }

  /** @returns {boolean} whether jobs wait to run */
  get hasQueued() {
    return this.places.queued > 0 || this.waiters.size > 0;
  }

  /** @returns {number} submissions that wait for a place */
  get waiting() {
    return this.waiters.size;
  }

  /** @returns {boolean} whether a submission would wait or be refused now */
  get needsDrain() {
    return this.waiters.size > 0 || !this.places.hasRoomFor(0);
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
    // The plain case is separate, so that engines can inline it.
    if (
      job.hasLimits ||
      job.key !== null ||
      this.#stopped ||
      this.waiters.size > 0 ||
      !this.places.take(job.bytes)
    ) {
      return this.#admitOrNot(job);
    }
    const promise = job.open();
    this.enter(job);
    return promise;
  }

  /**
   * Admits a plain job, see JobSlots, or leaves it to `admit`.
   *
   * @param {object} entry what to call
   * @param {Call} call the result of `readCall`
   * @returns {Promise<unknown> | null} null if the job was not admitted here
   */
  admitPlain(entry, call) {
    const { executor } = this;
    if (!executor.takesPlain || call.kind === CallKind.Object) return null;
    // Later, V8 has inlined the calls below into one frame, which fits or does
    // not.
    if (this.#asksForRoom > 0) {
      needRoomForPlain();
      this.#asksForRoom -= 1;
    }
    // The first of a list starts a timer.
    if (call.kind === CallKind.Watched && call.limits?.isEmpty) needRoom();
    if (
      this.#stopped ||
      this.waiters.size > 0 ||
      !this.places.take(call.encoding.bytes)
    ) {
      return null;
    }
    this.stats.enqueued += 1;
    this.#lastId += 1;
    return executor.submitPlain(entry, call, this.#lastId);
  }

  /**
   * Admits a job that is for one given worker, whether or not there is room,
   * and after the stop too, because jobs that are left may need it first.
   *
   * @param {Job} job a new one
   * @param {() => void} hand gives it to its worker
   * @returns {Promise<unknown>} what `finish` will say
   * @throws as `admit`, but for SLOPPY_E_WORK_QUEUE_FULL
   */
  admitTo(job, hand) {
    const promise = job.hasLimits ? this.#watch(job) : job.open();
    if (job.state !== JobState.New) return promise;
    this.places.force(job.bytes);
    this.#lastId += 1;
    job.id = this.#lastId;
    job.state = JobState.Admitted;
    this.stats.enqueued += 1;
    hand();
    return promise;
  }

  #admitOrNot(job) {
    this.checkStopped();
    let promise;
    if (job.hasLimits) {
      promise = this.#watch(job);
      // Subscribing to its signal has cancelled the job.
      if (job.state !== JobState.New) return promise;
    }
    if (job.key !== null) this.#join(job);
    // Checked again, because subscribing may have run code that stopped the
    // queue.
    if (
      this.waiters.size > 0 ||
      this.#stopped ||
      !this.places.take(job.bytes)
    ) {
      return this.#backpressure.waitOrRefuse(job, promise);
    }
    promise ??= job.open();
    this.enter(job);
    return promise;
  }

  /** Stopped, and nothing is left that may still run. */
  get isOver() {
    return this.#stopped && (this.isIdle || this.#stop.isForced);
  }

  #join(job) {
    if (this.lanes === null) {
      // Loaded late, because few programs have keys.
      const { Lanes } = require('./lanes.js');
      const limits = { ...this.#perKey, fullCode: this.#fullCode };
      this.lanes = new Lanes(this, limits);
    }
    try {
      this.lanes.join(job);
    } catch (refusal) {
      this.stats.overflow += 1;
      if (job.hasLimits) job.operation.unwatch();
      throw refusal;
    }
  }

  /** @returns {SloppyWorkerError} for calls after the stop */
  stoppedError() {
    return workerError(this.#stoppedCode);
  }

  /**
   * Called before `admit`, with the caller's checks between the two.
   *
   * @throws {SLOPPY_E_WORK_QUEUE_STOPPED}
   */
  checkStopped() {
    if (this.#stopped) throw this.stoppedError();
  }

  /**
   * Checks signal and deadline again before a job starts, because its time may
   * be over before the timer fires, and some signals never report.
   *
   * @param {Job} job an admitted one
   * @returns {boolean} false if the job is settled and must not start
   */
  recheck(job) {
    if (!job.hasLimits) return true;
    const refusal = refusalOf(job);
    if (refusal !== undefined) this.abandon(job, refusal);
    return job.state === JobState.Admitted;
  }

  /** See Backpressure. */
  promoteWaiters() {
    this.#backpressure.promote();
  }

  /** Changes how many jobs run at once; the bound on queued ones stays. */
  resize(concurrency) {
    this.places.concurrency = concurrency;
    this.changed();
  }

  /**
   * Refuses new jobs and waits for those admitted. May be called again, for
   * instance to stop draining; every call resolves.
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
    this.#stop.begin(drain, reason);
    this.changed();
    return this.#stop.end(timeoutMs, reason);
  }

  /** @returns {object} frozen; later changes do not show in it */
  snapshot() {
    const { queued, active, maxQueued, concurrency } = this.places;
    return freeze({
      name: this.#name,
      stopped: this.#stopped,
      queued,
      active,
      maxQueued,
      concurrency,
      overflow: this.#overflow,
      stats: this.stats.snapshot(),
    });
  }

  /** @returns {object} frozen: outcomes of the jobs so far */
  counters() {
    return this.stats.counters(this.waiters.size);
  }

  /**
   * Gives a job that has its place to the executor.
   *
   * @throws the executor's error, unless the job is settled; the executor does
   *   not hold the job then, and its place is free again
   */
  enter(job) {
    this.#lastId += 1;
    job.id = this.#lastId;
    job.state = JobState.Admitted;
    this.stats.enqueued += 1;
    try {
      if (job.lane === null) this.executor.submit(job);
      else this.lanes.submit(job);
    } catch (error) {
      // Its payload could not be read again, or the stack overflowed.
      if (job.state !== JobState.Admitted) {
        // A getter of the payload's has ended it before, so that its promise
        // has the answer, and no executor will give back its place.
        this.release(job);
        return;
      }
      job.state = JobState.Released;
      this.stats.enqueued -= 1;
      if (job.hasLimits) job.operation.unwatch();
      this.left(job);
      this.places.give(job.bytes);
      this.changed();
      throw error;
    }
  }

  /** @returns {Promise<unknown>} the job's promise, which this may settle */
  #watch(job) {
    const refusal = job.operation.refusalWhenNew();
    if (refusal !== undefined) throw refusal;
    // Checked first, because a list of limits that was not armed would delay
    // all later ones.
    needRoom();
    const promise = job.open();
    job.operation.watch(job, this);
    return promise;
  }

  /** A place became free, or the capacity grew. */
  changed() {
    if (this.lanes !== null) this.lanes.sendNext();
    if (this.waiters.size > 0) this.#backpressure.promote();
    this.lookIdle();
    this.#onChange?.();
  }
}

module.exports = { Admission };
