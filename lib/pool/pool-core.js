'use strict';

const { Admission } = require('../admission/admission.js');
const { JobChannels } = require('../executors/channels.js');
const { sourceOf } = require('./input-source.js');
const { createExecutor, prepareExecutor } = require('../executors/index.js');
const { jobOf, readCall } = require('../executors/read-call.js');
const { poolMetrics } = require('../observe/metrics.js');
const { traced, tracing, withCarrier } = require('../observe/tracing.js');
const { Watch } = require('../observe/watch.js');
const {
  NO_OPTIONS,
  checkTimeoutMs,
  isPlainObject,
  ownOptions,
} = require('../base/validate.js');
const { asksForSome, needMuchRoom } = require('../base/stack-room.js');
const {
  OwnEmitter,
  apply,
  max,
  min,
  now,
  queueMicrotask,
  rejected,
  startTimer,
  stopTimer,
} = require('../base/primordials.js');
const { JobMode } = require('../protocol/wire.gen.js');

const needRoom = asksForSome();

const DEFAULT_STOP_MS = 5000;

/**
 * What a pool or Worker is without its handle: admission, executor and events.
 * It does not know the handle, so that a pool nobody can reach is collected and
 * its threads let go.
 */
class PoolCore {
  policy;
  admission;
  executor = null;
  watch;
  #streamsInput;
  #events = null;
  #takesNotes;
  #isClosed = false;
  #neededDrain = false;
  #wasBusy = false;
  #hadQueued = false;
  #idleTimer = null;
  #settledAtLastLook = 0;
  #broadcasts = null;

  /**
   * @param {object} policy from `readPoolPolicy`
   * @param {object} [role] what is different in a Worker
   * @param {'pool' | 'worker'} [role.kind]
   * @param {string} [role.name] for those who watch it
   * @param {boolean} [role.streamsInput] of an async iterable
   * @param {string} [role.fullCode]
   * @param {string} [role.stoppedCode]
   */
  constructor(
    policy,
    {
      kind = 'pool',
      name = policy.name,
      streamsInput = true,
      fullCode,
      stoppedCode,
    } = NO_OPTIONS,
  ) {
    this.policy = policy;
    this.#streamsInput = streamsInput;
    this.#takesNotes = policy.onQueueDrain !== undefined;
    this.watch = new Watch(kind, name);
    if (policy.metrics) this.watch.measure();
    this.admission = new Admission({
      name: `${name}:${kind}`,
      fullCode,
      stoppedCode,
      maxQueued: policy.maxQueued,
      concurrency: policy.workers * policy.concurrentJobsPerWorker,
      overflow: policy.overflow,
      maxBackpressureWaiters: policy.maxBackpressureWaiters,
      maxQueuedBytes: policy.maxQueuedBytes,
      onChange: () => this.#changed(),
    });
    prepareExecutor(policy.runtime);
    if (policy.minWorkers > 0) this.open().prestart(policy.minWorkers);
  }

  /** What runs the jobs; made with the first one, whose worker `starts`. */
  open(starts = false) {
    return this.executor ?? this.#open(starts);
  }

  #open(starts) {
    needMuchRoom();
    const { policy } = this;
    const executor = createExecutor(policy, starts);
    executor.attach(this.admission);
    executor.onWorkerStart = () => {
      this.watch.workerStarted(executor);
      this.#emit('workerStarted');
    };
    executor.onWorkerExit = () => {
      this.watch.workerExited(executor);
      this.#emit('workerExit');
    };
    this.executor = executor;
    this.listened();
    // Of a pool that stopped before its first job: this call is refused, but
    // the refusal of its payload comes first, and only an executor reads that.
    if (this.#isClosed) executor.close();
    return executor;
  }

  /**
   * The same when a job is about to be read: its worker starts meanwhile.
   *
   * @returns {object} what knows the functions and exports that jobs call
   */
  openForJob() {
    const executor = this.executor ?? this.#open(!this.admission.stopped);
    return executor.entries;
  }

  /** @throws {SloppyWorkerError} when it is stopped */
  get inspector() {
    this.admission.checkStopped();
    return this.open().inspector;
  }

  pause(isPaused) {
    this.open().pause(isPaused);
  }

  /**
   * Listeners came or went. While one wants `error`, what nobody in a worker
   * caught goes there and not to stderr.
   */
  listened() {
    if (this.executor === null || this.#events === null) return;
    const wanted = this.#events.listenerCount('error') > 0;
    this.executor.onUncaught = wanted ? this.#uncaught : null;
  }

  #uncaught = (error, origin) => {
    // The last listener may have gone since it was sent.
    if (this.#events.listenerCount('error') === 0) return;
    this.#emit('error', error, origin);
    this.listened();
  };

  /** @returns {EventEmitter} of the names in WorkerPoolEvents */
  get events() {
    if (this.#events === null) {
      this.#events = new OwnEmitter();
      this.#takesNotes = true;
      this.#neededDrain = this.admission.needsDrain;
      this.#wasBusy = this.admission.inFlight > 0;
    }
    return this.#events;
  }

  /**
   * @param {object} entry what to call
   * @param {unknown} input
   * @param {object} [options] of the operation, from `ownOptions`
   * @param {number} [mode] bits of Mode
   * @param {object | null} [span] of a tracer; default a new one, if there is
   *   a tracer
   * @returns {Promise<unknown> | { channels: JobChannels, promise: Promise }}
   *   the second with a mode
   */
  submit(entry, input, options, mode = 0, span = null) {
    if (tracing.tracer !== null && span === null) {
      return this.#traced(entry, input, options, mode);
    }
    const source = this.#streamsInput ? sourceOf(input) : null;
    const value = source === null ? input : null;
    if (mode !== 0 || source !== null || span !== null) {
      return this.#submitMore(entry, value, options, mode, source, span);
    }
    // One function less for engines to inline.
    const executor = this.executor ?? this.open();
    const call = readCall(executor, this.admission, entry, value, options);
    const watcher = this.watch.of(entry, null);
    const promise =
      (watcher === null ? this.admission.admitPlain(entry, call) : null) ??
      this.#admit(jobOf(call, executor, entry, value), watcher);
    if (this.#takesNotes) this.#note();
    return promise;
  }

  // With channels, or a tracer's span.
  #submitMore(entry, value, options, mode, source, span) {
    if (mode === 0 && source === null) {
      return this.#submitObject(entry, value, options, null, 0, span);
    }
    const channels = new JobChannels(this.executor ?? this.open(), source);
    const bits = source === null ? mode : mode | JobMode.Input;
    try {
      const promise = this.#submitObject(
        entry,
        value,
        options,
        channels,
        bits,
        span,
      );
      return mode === 0 ? promise : { channels, promise };
    } catch (refusal) {
      channels.end();
      throw refusal;
    }
  }

  #submitObject(entry, value, options, channels, bits, span) {
    const executor = this.executor ?? this.open();
    const sent = span === null ? value : withCarrier(span, value);
    const call = readCall(executor, this.admission, entry, sent, options);
    const job = jobOf(call, executor, entry, sent);
    job.mode |= bits;
    channels?.attach(job);
    if (span !== null && span.carrier !== null) job.mode |= JobMode.Traced;
    const promise = this.#admit(job, this.watch.of(entry, span));
    if (this.#takesNotes) this.#note();
    return promise;
  }

  /** REQUIRES: `open` was called. */
  get broadcasts() {
    this.#broadcasts ??= new (require('./broadcast.js').Broadcasts)(this);
    return this.#broadcasts;
  }

  /** A job for one given worker: see `Admission.admitTo`. */
  submitTo(job, hand) {
    job.watcher = this.watch.of(job.entry, null);
    const promise = this.admission.admitTo(job, hand);
    if (this.#takesNotes) this.#note();
    return promise;
  }

  /** Nobody waits for what a later worker does of a broadcast. */
  laterFailed(error) {
    if (this.#events !== null && this.#events.listenerCount('error') > 0) {
      this.#emit('error', error, 'broadcast');
    } else {
      const { warnOf } = require('../base/warn-of.js');
      const text = `a broadcast failed in a later worker: ${error.code}`;
      warnOf('SLOPPY_W_BROADCAST', text, error);
    }
  }

  #admit(job, watcher) {
    needRoom();
    job.watcher = watcher;
    return this.admission.admit(job);
  }

  // Only for listeners: events tell of changes.
  #note() {
    if (this.#events !== null) {
      this.#neededDrain ||= this.admission.needsDrain;
      this.#wasBusy ||= this.admission.inFlight > 0;
    }
    if (this.policy.onQueueDrain !== undefined) {
      this.#hadQueued ||= this.admission.hasQueued;
    }
  }

  #traced(entry, input, options, mode) {
    return traced(this.watch, entry, (span) =>
      this.submit(entry, input, options, mode, span),
    );
  }

  /** @returns {Promise<never>} of a call that was not taken */
  refuse(error) {
    if (this.admission.inFlight === 0) this.executor?.entries.rest();
    this.watch.refused(this.admission.refused(error));
    return rejected(error);
  }

  /** The handle is gone: closes once the last job has settled. */
  async abandon() {
    await this.admission.drain();
    await this.close();
  }

  /**
   * See `WorkerPool.stop`.
   *
   * @param {object} [options]
   * @param {string} refusal of options that are no plain object
   */
  async stop(options, refusal) {
    const bag = ownOptions(options ?? {});
    if (!isPlainObject(bag)) throw new TypeError(refusal);
    const timeoutMs =
      bag.timeoutMs === undefined
        ? DEFAULT_STOP_MS
        : checkTimeoutMs(bag.timeoutMs);
    const begin = () =>
      this.admission.stop({ drain: bag.drain !== false, timeoutMs });
    const until = now() + timeoutMs;
    // A paused pool would never get to its end.
    const counts = await (this.executor?.whilePaused(begin) ?? begin());
    await this.close(max(0, until - now()));
    return counts;
  }

  /** Ends the threads. REQUIRES: no job is admitted any more. */
  async close(timeoutMs = undefined) {
    if (this.#idleTimer !== null) stopTimer(this.#idleTimer);
    this.#idleTimer = null;
    this.#isClosed = true;
    if (this.executor !== null) {
      // What a module says in its `dispose` is for nobody.
      this.executor.onMessage = null;
      await this.executor.close(timeoutMs);
    }
    this.watch.stopped();
  }

  /** @returns {object} frozen; see PoolMetrics in types/metrics.d.ts */
  metrics() {
    return poolMetrics(this.watch, this.admission, this.executor);
  }

  // Listeners run in the middle of a delivery: what they throw must not cost
  // other jobs their results.
  #emit(...event) {
    const events = this.#events;
    if (events !== null) this.#tell(() => apply(events.emit, events, event));
  }

  #tell(listener) {
    try {
      listener();
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  // Short, as what it calls for most jobs: engines inline it.
  #changed() {
    // Without listeners nobody needs to know.
    if (this.#events !== null) this.#watchDrain();
    if (this.#hadQueued) this.#watchQueued();
    if (this.admission.inFlight === 0) this.#rest();
  }

  #watchQueued() {
    if (this.admission.hasQueued) return;
    this.#hadQueued = false;
    this.#tell(this.policy.onQueueDrain);
  }

  // Nothing is queued or running, unless a listener has changed that.
  #rest() {
    if (this.admission.inFlight > 0) return;
    this.executor?.entries.rest();
    if (this.#wasBusy) {
      this.#wasBusy = false;
      this.#emit('idle');
    }
    if (this.policy.idleTimeoutMs !== Infinity) this.#watchIdle();
  }

  // The state is written first, because a listener may fill the queue again or
  // stop the pool: both come back here.
  #watchDrain() {
    const hadNeeded = this.#neededDrain;
    const { needsDrain } = this.admission;
    this.#neededDrain = needsDrain;
    if (hadNeeded && !needsDrain) this.#emit('drain');
  }

  // One timer, not one per job: it looks whether anything happened since.
  #watchIdle() {
    this.#idleTimer ??= startTimer(
      () => this.#lookIdle(),
      min(this.policy.idleTimeoutMs, 2 ** 31 - 1),
    ).unref();
  }

  /** @returns {boolean} false while others than `minWorkers` are there */
  #trim() {
    const { minWorkers } = this.policy;
    this.executor.trim(minWorkers);
    // One may not have come to rest since its last job.
    return this.executor.workers <= minWorkers;
  }

  #lookIdle() {
    this.#idleTimer = null;
    const { enqueued } = this.admission.snapshot().stats;
    const quiet = enqueued === this.#settledAtLastLook;
    this.#settledAtLastLook = enqueued;
    if (this.admission.inFlight > 0) return;
    if (!quiet || !this.#trim()) this.#watchIdle();
  }
}

module.exports = { PoolCore };
