'use strict';

const { workerError } = require('../sloppy-worker-error.js');
const { Outcome } = require('./admission-stats.js');
const { Detail, NEVER_SETTLES, PAYLOAD_REFUSALS } = require('./details.js');
const { Code, DIAGNOSTICS, codeById } = require('./diagnostics.gen.js');
const { Channel, HostCalls } = require('./channels.js');
const { JobState } = require('./job.js');
const { errorOf, outcomeOf } = require('./job-error.js');
const { Inspector } = require('./inspector.js');
const { LinkedList } = require('./linked-list.js');
const { getHost } = require('./native-host.js');
const { SubmitRing } = require('./submit-ring.js');
const { schedule } = require('./timer-heap.js');
const { processFacts } = require('./process-facts.js');
const { PoolEntries } = require('./pool-entries.js');
const { keepEncoding } = require('./pool-job.js');
const { rebuildError } = require('./rebuild-error.js');

const { apply } = Reflect;

// job/job.h
const Cancel = Object.freeze({ None: 0, Cancelled: 1, TimedOut: 2 });
// binding/pool_calls.cc
const Answer = Object.freeze({
  Queued: 0,
  Closed: 2,
  NoThread: 3,
  NoMemory: 4,
});
const REMOVED = 0;
const ISOLATION = Object.freeze({ worker: 0, context: 1, isolate: 2 });
// Termination takes milliseconds; some of V8's own loops need longer.
const UNRESPONSIVE_MS = 2000;

function realmOptions(settings) {
  const status = {};
  for (const { id, name } of Object.values(DIAGNOSTICS)) status[name] = id;
  return JSON.stringify({
    status,
    detail: Detail,
    maxResultBytes: settings.maxResultBytes,
    module: settings.module,
    process: processFacts(),
    port: settings.port,
    init:
      settings.init === undefined
        ? undefined
        : { module: settings.init.module, timeoutMs: settings.init.timeoutMs },
    allowWasm: settings.allowWasm,
    host: settings.host === undefined ? undefined : Object.keys(settings.host),
    cancelledText: `${Code.JobCancelled}: ${DIAGNOSTICS[Code.JobCancelled].message}`,
    payloadTexts: PAYLOAD_REFUSALS.map((row) =>
      row === undefined ? '' : `${row.code}: ${row.text}`,
    ),
  });
}

/**
 * The executor of pools and workers: hands admitted jobs to the addon, whose
 * threads take them by themselves, and settles what comes back.
 *
 * Every job in the addon is in the host's table and comes back exactly once,
 * unless `remove` got it back before it started.
 */
class NativePool {
  host;
  #id;
  #ring;
  #settings;
  #admission = null;
  #jobs = new LinkedList();
  #entries;
  #onMessage = null;
  #onPort = null;
  #onWorkerStart = null;
  #onWorkerExit = null;
  #onUncaught = null;
  #inspector = null;
  // What nobody caught while a job was running, by job.
  #uncaught = new WeakMap();
  #hostCalls;
  #closing = false;
  #workersGone = null;

  /**
   * @param {object} settings checked by the caller
   * @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE}
   */
  constructor(settings) {
    this.host = getHost();
    this.#settings = settings;
    this.#entries = new PoolEntries(this.host.native, settings.name);
    this.#hostCalls = new HostCalls(settings.host ?? {});
    const made = this.host.native.createPool({
      memoryLimitMb: settings.memoryLimitMb,
      maxModuleBytes: settings.maxModuleBytes,
      maxMicrotasks: settings.maxMicrotasks,
      spinMs: this.host.spinMs,
      graceMs: settings.cancelGraceMs,
      cpuLimitMs: settings.cpuLimitMs,
      isolation: ISOLATION[settings.isolation],
      allowEval: settings.allowEval,
      allowWasm: settings.allowWasm,
      recycleAfterJobs: settings.recycleAfterJobs,
      recycleAboveMb: settings.recycleAboveMb,
      announceIdle:
        settings.announceIdle === true || settings.init !== undefined,
      realmOptions: realmOptions(settings),
      capacity: settings.capacity,
      workers: settings.workers,
    });
    this.#id = made.id;
    this.#ring = new SubmitRing(
      made.ring,
      made.lightFence,
      this.host.clockOffset,
    );
    this.host.addPool(this.#id, this);
    if (settings.init !== undefined) this.#setInitData(settings.init.data);
  }

  #setInitData(data) {
    const e = this.encode(data);
    const { kind, number, slots, slotCount, text, more } = e;
    const { native } = this.host;
    native.setInitData(this.#id, kind, number, slots, slotCount, text, more);
  }

  /** Pool and admission know each other; this closes the circle, once. */
  attach(admission) {
    this.#admission = admission;
  }

  /** Receives what the worker as a whole emits. */
  set onMessage(callback) {
    this.#onMessage = callback;
  }

  /** Called when a thread has started. */
  set onWorkerStart(callback) {
    this.#onWorkerStart = callback;
  }

  /** Called when one of the threads has ended. */
  set onWorkerExit(callback) {
    this.#onWorkerExit = callback;
  }

  /**
   * Receives what nobody in a worker caught, as (error, origin), instead of
   * stderr; null for nobody.
   */
  set onUncaught(callback) {
    this.#onUncaught = callback;
    this.host.native.setListens(this.#id, callback !== null);
  }

  /** Receives what the port of a message worker sends: { receive }. */
  set onPort(receiver) {
    this.#onPort = receiver;
  }

  /**
   * A new job with its payload encoded: the first check of every call.
   *
   * @throws {SloppyWorkerError} for a payload that cannot be sent
   */
  encode(value, transfer) {
    return this.host.encode(value, this.#settings.maxPayloadBytes, transfer);
  }

  /** For profiles, snapshots and figures of the workers. */
  get inspector() {
    this.#inspector ??= new Inspector(
      this.host,
      this.#id,
      this.#settings.memoryLimitMb,
    );
    return this.#inspector;
  }

  /** What the pool's jobs call. */
  get entries() {
    return this.#entries;
  }

  prestart(count) {
    this.host.native.prestart(this.#id, count);
  }

  resize(workers) {
    this.host.native.resize(this.#id, workers);
  }

  pause(paused) {
    this.host.native.pause(this.#id, paused);
  }

  /**
   * Calls `fn` while no worker takes a job: what is queued when it begins is
   * queued throughout. Ends a pause of the caller's as well.
   */
  whilePaused(fn) {
    this.pause(true);
    try {
      return fn();
    } finally {
      this.pause(false);
    }
  }

  trim(keep) {
    this.host.native.trim(this.#id, keep);
  }

  /** Jobs may call functions of the owner. */
  get hasHost() {
    return this.#settings.host !== undefined;
  }

  get workers() {
    return this.host.native.workers(this.#id);
  }

  /** @returns {number[]} jobs queued and running, workers */
  counts() {
    return this.host.native.counts(this.#id);
  }

  // --- what Admission asks of an executor ---------------------------------

  submit(job) {
    const { host } = this;
    let e = job.stash;
    if (e === null) {
      // A getter or a listener of the caller's may have encoded in between.
      e =
        job.encoding === host.encodings
          ? host.codec.last()
          : this.encode(job.value, job.transfer);
    }
    job.stash = job.value = null;
    job.slot = host.hold(job);
    this.#entries.use(job.entry);
    this.#jobs.push(job);
    const { expiresAt } = job.operation;
    const answer =
      expiresAt === Infinity && this.#ring.push(job, e)
        ? this.#attend(job)
        : this.#send(job, e, expiresAt);
    if (answer !== Answer.Queued) this.#refused(job, answer);
    if (job.watcher !== null) job.watcher.queued(job);
  }

  #send(job, e, expiresAt) {
    return this.host.native.submit(
      this.#id,
      job.slot,
      job.entry.id,
      e.kind,
      e.number,
      e.slots,
      e.slotCount,
      e.text,
      e.more,
      expiresAt === Infinity ? Infinity : expiresAt - performance.now(),
      job.priority,
      job.watcher === null ? job.mode : job.mode | job.watcher.bits,
    );
  }

  #attend(job) {
    this.host.touch();
    if (!this.#ring.wantsKick) return Answer.Queued;
    const answer = this.host.native.kick(this.#id, job.slot);
    // A pool that is closed takes nothing over: the job is still there.
    if (answer === Answer.Closed) {
      this.host.native.cancel(this.#id, job.slot, Cancel.None);
    }
    return answer;
  }

  // Not inside `submit`: the caller has no promise yet.
  #refused(job, answer) {
    this.#forget(job);
    const error =
      answer === Answer.NoThread
        ? workerError(Code.PoolUnavailable)
        : answer === Answer.NoMemory
          ? workerError(Code.ResourceLimit)
          : workerError(Code.ShutdownCancelled);
    queueMicrotask(() => this.#admission.finish(job, Outcome.Failed, error));
  }

  #forget(job) {
    this.host.letGo(job.slot);
    this.#over(job);
  }

  #over(job) {
    job.slot = -1;
    job.entry.pending -= 1;
    this.#jobs.remove(job);
  }

  /** The job has to wait for a place: what it sends must be its own. */
  keep(job) {
    if (job.encoding !== this.host.encodings) {
      this.encode(job.value, job.transfer);
    }
    job.stash = keepEncoding(this.host.codec.last());
    job.value = null;
  }

  remove(job) {
    if (job.slot < 0) return false;
    const { native } = this.host;
    if (native.cancel(this.#id, job.slot, Cancel.None) !== REMOVED) {
      return false;
    }
    this.#forget(job);
    return true;
  }

  interrupt(job) {
    // A job that was refused has no slot and is released in its turn.
    if (job.slot < 0) return;
    const why = job.operation.isExpired() ? Cancel.TimedOut : Cancel.Cancelled;
    this.host.native.cancel(this.#id, job.slot, why);
    job.lostTimer ??= schedule(
      performance.now() + this.#settings.cancelGraceMs + UNRESPONSIVE_MS,
      () => this.#abandon(job),
    );
  }

  // Code that never looks for a termination: its thread is given up, so that
  // it costs a thread and not the pool.
  #abandon(job) {
    if (job.slot < 0 || !this.host.native.abandon(this.#id, job.slot)) return;
    this.host.abandon(job);
    this.#inspector?.workersChanged();
    this.#over(job);
    this.#admission.release(job);
  }

  jobs() {
    return this.#jobs.toArray();
  }

  forceStop() {
    this.host.native.terminate(this.#id);
  }

  // --- what the addon delivers ---------------------------------------------

  settle(job, status, detail, value) {
    if (job.abandoned) return;
    job.lostTimer?.cancel();
    this.#over(job);
    job.channels?.end();
    if (job.state !== JobState.Admitted) {
      this.#admission.release(job);
    } else if (status === 0) {
      this.#admission.finish(job, Outcome.Completed, value);
    } else {
      const failing = this.#fail(job, status, detail, value);
      const code = codeById(status);
      this.#admission.failLater(job, outcomeOf(status), failing, code);
    }
  }

  /**
   * Rejects with the job's error. It is made inside an async function that
   * the job's promise waits for: V8 then continues its stack with the callers
   * that await the job, which costs nothing while jobs succeed.
   */
  async #fail(job, status, detail, value) {
    // Two turns: until the job's promise has begun to wait for this one.
    await null;
    await null;
    // Why it never settles is often something that nobody caught.
    const thrown = detail === NEVER_SETTLES ? this.#uncaught.get(job) : value;
    try {
      const error = errorOf(status, detail, thrown);
      const callers = {};
      Error.captureStackTrace(callers, this.#fail);
      continueStack(error.cause, callers.stack);
      throw error;
    } finally {
      // Callers learn of the failure before those who wait for the place.
      Promise.resolve()
        .then(ignore)
        .then(() => this.#admission.release(job));
    }
  }

  message(job, channel, value, worker) {
    if (channel === Channel.Inspected) {
      this.#inspector?.answered(value);
      return;
    }
    if (channel >= Channel.Uncaught) {
      this.#hearUncaught(job, channel, value);
      return;
    }
    if (job !== null && job.state !== JobState.Admitted) return;
    if (channel === Channel.Host) {
      this.#hostCalls.answer(this, job, value, worker);
    } else if (channel === Channel.Emit) {
      if (job === null) callListener(this.#onMessage, value);
      else if (job.onMessage !== null) {
        const { context, onMessage } = job;
        context.runInAsyncScope(callListener, undefined, onMessage, value);
      }
    } else {
      (job === null ? this.#onPort : job.channels)?.receive(channel, value);
    }
  }

  #hearUncaught(job, channel, described) {
    if (job !== null) this.#uncaught.set(job, described);
    if (this.#onUncaught === null) return;
    const rejection = channel === Channel.Rejection;
    const origin = rejection ? 'unhandledRejection' : 'uncaughtException';
    callListener(this.#onUncaught, rebuildError(described), origin);
  }

  /**
   * Sends a value to a running job, or to the pool's worker.
   *
   * @param {PoolJob | null} job
   * @param {number} channel one of Channel
   * @param {unknown} value
   * @param {ArrayBuffer[]} [transfer]
   * @param {number} [worker] of that number; default: the oldest
   * @returns {boolean} false when nobody is there to receive it
   * @throws {SloppyWorkerError} for a payload that cannot be sent
   */
  mail(job, channel, value, transfer, worker = Infinity) {
    const e = this.encode(value, transfer);
    if (job !== null && job.slot < 0) return false;
    return this.host.native.mail(
      this.#id,
      job === null ? -worker : job.slot,
      channel,
      e.kind,
      e.number,
      e.slots,
      e.slotCount,
      e.text,
      e.more,
    );
  }

  workerStarted() {
    this.#onWorkerStart?.();
  }

  workerExited() {
    this.#inspector?.workersChanged();
    this.#onWorkerExit?.();
    if (!this.#closing) this.#replaceLast();
    if (this.#workersGone !== null && this.workers === 0) this.#workersGone();
  }

  // The addon replaces a lost worker while there is work. When the system
  // gives no thread and none is left, nobody will ever take the jobs.
  #replaceLast() {
    if (this.#jobs.size === 0 || this.workers > 0) return;
    if (this.host.native.prestart(this.#id, 1)) return;
    for (const job of this.jobs()) {
      if (job.state !== JobState.Admitted || !this.remove(job)) continue;
      this.#admission.finish(
        job,
        Outcome.Failed,
        workerError(Code.PoolUnavailable),
      );
    }
  }

  /**
   * Ends the threads. REQUIRES: no job is admitted any more.
   *
   * @param {number} [timeoutMs] for what they do besides jobs: `init` and
   *   `dispose` are terminated then
   * @returns {Promise<void>} resolves when they are gone
   */
  async close(timeoutMs = Infinity) {
    if (this.#closing) return;
    this.#closing = true;
    const { native } = this.host;
    this.host.ref();
    const timer =
      timeoutMs === Infinity
        ? null
        : schedule(performance.now() + timeoutMs, () =>
            native.endNow(this.#id),
          );
    try {
      native.close(this.#id);
      if (this.workers > 0) {
        await new Promise((resolve) => {
          this.#workersGone = resolve;
        });
      }
    } finally {
      timer?.cancel();
      this.host.unref();
    }
    native.dispose(this.#id);
    this.host.removePool(this.#id);
    this.#entries.drop();
  }
}

function callListener(callback, ...values) {
  if (typeof callback !== 'function') return;
  try {
    // Not by spreading, which asks an iterator that anyone can replace.
    apply(callback, undefined, values);
  } catch (error) {
    // As with every event listener: not ours to swallow, nor to suffer.
    queueMicrotask(() => {
      throw error;
    });
  }
}

const ignore = () => {};

/** The worker's stack goes on with the callers that awaited the job. */
function continueStack(cause, callers) {
  const told = cause instanceof Error && typeof cause.stack === 'string';
  // What formats stacks here may make something else of them.
  if (!told || typeof callers !== 'string') return;
  const firstFrame = callers.indexOf('\n');
  if (firstFrame >= 0) cause.stack += callers.slice(firstFrame);
}

module.exports = { NativePool };
