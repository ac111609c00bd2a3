'use strict';

const { Admission } = require('../admission/admission.js');
const { callListener } = require('../base/call-listener.js');
const { JobChannels } = require('../executors/channels.js');
const { Carry } = require('../protocol/codec/grammar.js');
const { IdleWorkers } = require('./idle-workers.js');
const { sourceOf } = require('./input-source.js');
const { PoolListeners } = require('./pool-listeners.js');
const { createExecutor, prepareExecutor } = require('../executors/index.js');
const { jobOf, readCall } = require('../executors/read-call.js');
const { readDrain } = require('../options/mistaken-options.js');
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
const { max, min, now, rejected } = require('../base/primordials.js');
const { JobMode } = require('../protocol/wire.gen.js');

const needRoom = asksForSome();

const DEFAULT_STOP_MS = 5000;

/**
 * A pool or Worker without its handle: admission, executor and events. It does
 * not refer to the handle, so that an unreachable pool is collected and its
 * threads end.
 */
class PoolCore {
  policy;
  admission;
  executor = null;
  watch;
  #streamsInput;
  // The input of a call that was given none.
  #absent;
  /** @type {PoolListeners} */
  listeners = new PoolListeners(this);
  #takesNotes;
  #isClosed = false;
  #hadQueued = false;
  #idleWorkers = null;
  #broadcasts = null;
  #isRef = true;

  /**
   * @param {object} policy from `readPoolPolicy`
   * @param {object} [role] the differences of a Worker
   * @param {'pool' | 'worker'} [role.kind]
   * @param {string} [role.name] for events and metrics
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
    this.#absent = policy.carry === Carry.CLONED ? undefined : null;
    this.#takesNotes = policy.onQueueDrain !== undefined;
    this.watch = new Watch(kind, name);
    if (policy.metrics) this.watch.measure();
    if (policy.idleTimeoutMs !== Infinity) {
      this.#idleWorkers = new IdleWorkers(this);
    }
    this.admission = new Admission({
      name: `${name}:${kind}`,
      fullCode,
      stoppedCode,
      maxQueued: policy.maxQueued,
      concurrency: policy.workers * policy.concurrentJobsPerWorker,
      overflow: policy.overflow,
      maxBackpressureWaiters: policy.maxBackpressureWaiters,
      maxQueuedBytes: policy.maxQueuedBytes,
      perKey: policy.perKey,
      onChange: () => this.#changed(),
    });
    prepareExecutor(policy.runtime);
    if (policy.minWorkers > 0) this.prestart();
  }

  /** Starts workers until as many are there as always should be. */
  prestart() {
    const { minWorkers, workers } = this.policy;
    if (minWorkers > 0 && !this.admission.stopped) {
      this.open().prestart(min(minWorkers, workers));
    }
  }

  /** Makes the executor with the first job, whose worker `starts`. */
  open(starts = false) {
    return this.executor ?? this.#open(starts);
  }

  #open(starts) {
    needMuchRoom();
    const { policy } = this;
    const executor = createExecutor(policy, starts);
    executor.attach(this.admission);
    executor.rebuildError = policy.rebuildError;
    this.executor = executor;
    if (!this.#isRef) executor.setRef(false);
    this.listeners.attach(executor);
    // The pool stopped before its first job, so this call is refused. A bad
    // payload is refused first, and only an executor reads it.
    if (this.#isClosed) executor.close();
    return executor;
  }

  /**
   * The same before a job is read, so that its worker starts meanwhile.
   *
   * @returns {object} the entries of the pool's jobs
   */
  openForJob() {
    const executor = this.executor ?? this.#open(!this.admission.stopped);
    return executor.entries;
  }

  /** @throws {SloppyWorkerError} if the pool is stopped */
  get inspector() {
    this.admission.checkStopped();
    return this.open().inspector;
  }

  /** Whether its jobs keep the process alive. */
  setRef(yes) {
    this.#isRef = yes;
    this.executor?.setRef(yes);
  }

  pause(isPaused) {
    this.open().pause(isPaused);
  }

  /** @returns {EventEmitter} of the names in WorkerPoolEvents */
  get events() {
    this.#takesNotes = true;
    return this.listeners.emitter;
  }

  /** Plain payloads have null in place of undefined. */
  inputOf(value) {
    return value === undefined ? this.#absent : value;
  }

  /**
   * @param {object} entry what to call
   * @param {unknown} input
   * @param {object} [options] of the operation, from `ownOptions`
   * @param {number} [mode] bits of Mode
   * @param {object | null} [span] of a tracer; default a new one, if there is
   *   a tracer
   * @returns {Promise<unknown> | { channels: JobChannels, promise: Promise }}
   *   the latter with a mode
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
    // Inlined by hand, because it is one call less for engines to inline.
    const executor = this.executor ?? this.open();
    const call = readCall(executor, this.admission, entry, value, options);
    const metrics = this.watch.of(entry, null);
    const promise =
      (metrics === null ? this.admission.admitPlain(entry, call) : null) ??
      this.#admit(jobOf(call, executor, entry, value), metrics);
    if (this.#takesNotes) this.#note();
    return promise;
  }

  // The way of jobs with channels, or a tracer's span.
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
    const metrics = this.watch.of(job.entry, null);
    job.metrics = this.watch.withReceipt(job, metrics, this.listeners.onJob);
    const promise = this.admission.admitTo(job, hand);
    if (this.#takesNotes) this.#note();
    return promise;
  }

  #admit(job, metrics) {
    needRoom();
    job.metrics = this.watch.withReceipt(job, metrics, this.listeners.onJob);
    return this.admission.admit(job);
  }

  // Called only with listeners, because events report changes.
  #note() {
    this.listeners.events?.note();
    if (this.policy.onQueueDrain !== undefined) {
      this.#hadQueued ||= this.admission.hasQueued;
    }
  }

  #traced(entry, input, options, mode) {
    return traced(this.watch, entry, (span) =>
      this.submit(entry, input, options, mode, span),
    );
  }

  /** See WorkerPool.recycle. */
  async recycle() {
    await this.executor?.recycle();
  }

  /** @returns {Promise<never>} the promise of a refused call */
  refuse(error) {
    if (this.admission.inFlight === 0) this.executor?.entries.dropCaches();
    this.watch.refused(this.admission.refused(error));
    return rejected(error);
  }

  /** The handle was collected: closes once the last job has settled. */
  async abandon() {
    await this.admission.drain();
    await this.close();
  }

  /**
   * See `WorkerPool.stop`.
   *
   * @param {string} operation prefix of an error's text
   * @param {object} [options]
   * @param {string} refusal of options that are no plain object
   */
  async stop(operation, options, refusal) {
    const bag = ownOptions(options ?? {});
    if (!isPlainObject(bag)) throw new TypeError(refusal);
    const drain = readDrain(operation, bag);
    const timeoutMs =
      bag.timeoutMs === undefined
        ? DEFAULT_STOP_MS
        : checkTimeoutMs(bag.timeoutMs);
    const begin = () => this.admission.stop({ drain, timeoutMs });
    const until = now() + timeoutMs;
    // The caller waits for its end.
    this.setRef(true);
    // A paused pool would never finish.
    const counts = await (this.executor?.whilePaused(begin) ?? begin());
    await this.close(max(0, until - now()));
    return counts;
  }

  /** Ends the threads. REQUIRES: no job is admitted any more. */
  async close(timeoutMs = undefined) {
    this.#idleWorkers?.stop();
    this.#isClosed = true;
    if (this.executor !== null) {
      // Messages of a module's `dispose` have no receiver.
      this.executor.onMessage = null;
      await this.executor.close(timeoutMs);
    }
    this.watch.stopped();
  }

  /** @returns {object} frozen; see PoolMetrics in types/metrics.d.ts */
  metrics() {
    return poolMetrics(this.watch, this.admission, this.executor);
  }

  // Short, so that engines inline it with the function it calls for most jobs.
  #changed() {
    const { events } = this.listeners;
    if (events !== null) events.lookDrained();
    if (this.#hadQueued) this.#watchQueued();
    if (this.admission.inFlight === 0) this.#markIdle();
  }

  #watchQueued() {
    if (this.admission.hasQueued) return;
    this.#hadQueued = false;
    callListener(this.policy.onQueueDrain);
  }

  // Called when the pool looks idle. A listener may have submitted since, so
  // check again.
  #markIdle() {
    if (this.admission.inFlight > 0) return;
    this.executor?.entries.dropCaches();
    this.listeners.events?.idle();
    if (this.#idleWorkers !== null) this.#idleWorkers.watch();
  }
}

module.exports = { PoolCore };
