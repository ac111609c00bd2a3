'use strict';

const { workerError } = require('../sloppy-worker-error.js');
const { Outcome } = require('./admission-stats.js');
const { Code } = require('./diagnostics.gen.js');
const { Channel, Mode, maxBytesOf } = require('./channels.js');
const { JobState } = require('./job.js');
const { Inspector } = require('./inspector.js');
const { LostJobs } = require('./lost-jobs.js');
const { getHost } = require('./native-host.js');
const { nativeOptions } = require('./native-options.js');
const { SubmitRing } = require('./submit-ring.js');
const { schedule } = require('./timer-heap.js');
const { PoolEntries } = require('./pool-entries.js');
const { PoolExecutor } = require('./pool-executor.js');
const {
  DEFAULT_PRIORITY,
  inStartOrder,
  keepEncoding,
} = require('./pool-job.js');
const {
  SMALL_BYTES,
  smallEncoding,
  smallKind,
  smallNumber,
} = require('./small-values.js');
const { OwnPromise, freeze, now, queueMicrotask } = require('./primordials.js');

// job/job.h
const Cancel = freeze({ None: 0, Cancelled: 1, TimedOut: 2 });
// binding/pool_calls.cc
const Answer = freeze({
  Queued: 0,
  Closed: 2,
  NoThread: 3,
  NoMemory: 4,
});
const REMOVED = 0;

/**
 * The executor of pools and workers: hands admitted jobs to the addon, whose
 * threads take them by themselves, and settles what comes back.
 *
 * Every job in the addon is in the host's table and comes back exactly once,
 * unless `remove` got it back before it started.
 */
class NativePool extends PoolExecutor {
  host;
  #id;
  #ring;
  #settings;
  #entries;
  #lost;
  #inspector = null;
  #closed = null;
  #workersGone = null;

  /**
   * @param {object} settings checked by the caller
   * @param {boolean} [starts] its first worker, at once
   * @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE}
   */
  constructor(settings, starts = false) {
    super(settings);
    this.host = getHost();
    this.#settings = settings;
    this.#entries = new PoolEntries(this.host.native, settings.name, this);
    const made = this.host.native.createPool(
      nativeOptions(settings, this.host.spinMs, starts),
    );
    this.#id = made.id;
    this.#ring = new SubmitRing(
      made.ring,
      this.host.native.hasLightFence,
      this.host.clockOffset,
    );
    this.#lost = new LostJobs(this, this.#id);
    this.host.addPool(this.#id, this);
    if (settings.init !== undefined) this.#setInitData(settings.init.data);
  }

  /** A spare becomes the executor of a pool with these settings. */
  adopt(settings) {
    // It wakes up while the owner reads the first job.
    this.host.native.expect(this.#id);
    this.#settings = settings;
    this.#entries.drop();
    this.#entries = new PoolEntries(this.host.native, settings.name, this);
  }

  #setInitData(data) {
    const e = this.encode(data);
    const { kind, number, slots, slotCount, text, more } = e;
    const { native } = this.host;
    native.setInitData(this.#id, kind, number, slots, slotCount, text, more);
  }

  /** Whether somebody wants what nobody in a worker caught. */
  listen(wanted) {
    this.host.native.setListens(this.#id, wanted);
  }

  /**
   * A new job with its payload encoded: the first check of every call.
   *
   * @throws {SloppyWorkerError} for a payload that cannot be sent
   */
  encode(value, transfer, maxBytes = this.#settings.maxPayloadBytes) {
    return this.host.encode(value, maxBytes, transfer, this.#settings.port);
  }

  needRuntime() {
    this.host.native.needRuntime(this.#id);
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

  /** @returns {boolean} false when the system had no thread */
  prestart(count) {
    return this.host.native.prestart(this.#id, count);
  }

  resize(workers) {
    this.host.native.resize(this.#id, workers);
  }

  pause(paused) {
    this.host.native.pause(this.#id, paused);
  }

  trim(keep) {
    this.host.native.trim(this.#id, keep);
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
    const e = this.#encodingOf(job);
    job.value = null;
    host.ref();
    job.slot = host.slots.hold(job);
    this.#entries.use(job.entry);
    const answer = this.#ring.push(job, e)
      ? this.#attend(job.slot)
      : this.#send(job, e);
    if (answer !== Answer.Queued) this.#refused(job, answer);
    if (job.watcher !== null) job.watcher.queued(job);
  }

  submitSmall(entry, value) {
    const slot = this.#holdPlain(entry, SMALL_BYTES);
    if (slot < 0) return null;
    const { slots } = this.host;
    const promise = slots.open(slot);
    const kind = smallKind(value);
    const number = smallNumber(kind, value);
    const answer = this.#ring.pushSmall(slot, entry.id, kind, number)
      ? this.#attend(slot)
      : this.#callPlain(slot, entry.id, smallEncoding(kind, number));
    if (answer !== Answer.Queued) this.#refused(slots.take(slot), answer);
    return promise;
  }

  submitPlain(entry) {
    const { host } = this;
    const e = host.codec.last();
    const slot = this.#holdPlain(entry, e.bytes);
    if (slot < 0) return null;
    const promise = host.slots.open(slot);
    const answer = this.#ring.pushPlain(slot, entry.id, e)
      ? this.#attend(slot)
      : this.#callPlain(slot, entry.id, e);
    if (answer !== Answer.Queued) {
      this.#refused(host.slots.take(slot), answer);
    }
    return promise;
  }

  submitWatched(entry, asked) {
    const { host } = this;
    const e = host.codec.last();
    const slot = this.#holdPlain(entry, e.bytes);
    if (slot < 0) return null;
    const { slots } = host;
    const promise = slots.open(slot);
    const { expiresAt, hub } = asked;
    const mode = hub === null ? 0 : Mode.Signalled;
    const answer = this.#ring.pushWatched(slot, entry.id, e, mode, expiresAt)
      ? this.#attend(slot)
      : this.#call(slot, entry.id, e, mode, expiresAt, DEFAULT_PRIORITY);
    // Its encoding is needed no more: timers may be the caller's.
    slots.watch(slot, asked);
    asked.limits = asked.hub = null;
    if (answer !== Answer.Queued) this.#refused(slots.take(slot), answer);
    return promise;
  }

  /** @returns {number} a slot for it; -1: it has to be a job like others */
  #holdPlain(entry, bytes) {
    // A function of the owner's is called in the context of the job's caller.
    const id = this.hasHost ? 0 : this.admission.admitPlain(bytes);
    if (id === 0) return -1;
    this.#entries.use(entry);
    this.host.ref();
    return this.host.slots.holdPlain(entry, bytes, id);
  }

  get lastEncoding() {
    return this.host.codec.last();
  }

  #encodingOf(job) {
    const { host } = this;
    const { stash } = job;
    if (stash !== null) {
      job.stash = null;
      return stash;
    }
    // A getter or a listener of the caller's may have encoded in between.
    return job.encoding === host.encodings
      ? host.codec.last()
      : this.encode(job.value, job.transfer);
  }

  #send(job, e) {
    const { mode, priority, slot, watcher } = job;
    const bits = watcher === null ? mode : mode | watcher.bits;
    const { expiresAt } = job.operation;
    return this.#call(slot, job.entry.id, e, bits, expiresAt, priority);
  }

  #callPlain(slot, entry, e) {
    return this.#call(slot, entry, e, 0, Infinity, DEFAULT_PRIORITY);
  }

  #call(slot, entry, e, mode, expiresAt, priority) {
    return this.host.native.submit(
      this.#id,
      slot,
      entry,
      e.kind,
      e.number,
      e.slots,
      e.slotCount,
      e.text,
      e.more,
      expiresAt === Infinity ? Infinity : expiresAt - now(),
      priority,
      mode,
    );
  }

  #attend(slot) {
    this.host.touch();
    return this.#ring.wantsKick ? this.#kick(slot) : Answer.Queued;
  }

  #kick(slot) {
    const answer = this.host.native.kick(this.#id, slot);
    // A pool that is closed takes nothing over: the job is still there.
    if (answer === Answer.Closed) {
      this.host.native.cancel(this.#id, slot, Cancel.None);
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
    queueMicrotask(() => this.admission.finish(job, Outcome.Failed, error));
  }

  #forget(job) {
    this.host.letGo(job, job.slot);
    this.over(job);
  }

  /** The job has to wait for a place: what it sends must be its own. */
  keep(job) {
    job.stash = keepEncoding(this.#encodingOf(job));
    job.value = null;
  }

  jobs() {
    return inStartOrder(this.host.slots.of(this));
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

  interrupt(job, reason) {
    // A job that was refused has no slot and is released in its turn.
    if (job.slot < 0) return;
    const why = job.operation.isExpired() ? Cancel.TimedOut : Cancel.Cancelled;
    const { cancelGraceMs, concurrentJobsPerWorker } = this.#settings;
    // Code that is terminated at once learns nothing.
    if (cancelGraceMs > 0 || concurrentJobsPerWorker > 1) {
      if (why === Cancel.Cancelled) this.sendReason(job, reason);
      // A getter of the reason's may have ended the job.
      if (job.slot < 0) return;
    }
    this.host.native.cancel(this.#id, job.slot, why);
    this.#lost.watch(job, cancelGraceMs);
  }

  /** The job's thread was given up. */
  lose(job) {
    job.lostTimer?.cancel();
    this.host.abandon(job);
    this.#inspector?.workersChanged();
    this.over(job);
  }

  forceStop() {
    this.host.native.terminate(this.#id);
  }

  message(job, channel, value, worker) {
    if (channel === Channel.Inspected) this.#inspector?.answered(value);
    else super.message(job, channel, value, worker);
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
    const maxBytes = maxBytesOf(channel);
    const e = this.encode(value, transfer, maxBytes);
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

  workerExited(why) {
    this.#inspector?.workersChanged();
    super.workerExited(why);
    if (this.#closed === null) this.#replaceLast();
    if (this.#workersGone !== null && this.workers === 0) this.#workersGone();
  }

  // The addon replaces a lost worker while there is work. When the system
  // gives no thread and none is left, nobody will ever take the jobs.
  #replaceLast() {
    if (this.workers > 0) return;
    const jobs = this.jobs();
    if (jobs.length === 0 || this.host.native.prestart(this.#id, 1)) return;
    for (let i = 0; i < jobs.length; i++) {
      const job = jobs[i];
      if (job.state !== JobState.Admitted || !this.remove(job)) continue;
      this.admission.finish(
        job,
        Outcome.Failed,
        workerError(Code.PoolUnavailable),
      );
    }
  }

  /**
   * Ends the threads. REQUIRES: no job is admitted any more. May be called
   * again, for instance with less time; every call waits for them.
   *
   * @param {number} [timeoutMs] for what they do besides jobs: `init` and
   *   `dispose` are terminated then
   * @returns {Promise<void>} resolves when they are gone
   */
  async close(timeoutMs = Infinity) {
    const timer =
      timeoutMs === Infinity
        ? null
        : schedule(now() + timeoutMs, () => this.host.native.endNow(this.#id));
    try {
      this.#closed ??= this.#close();
      await this.#closed;
    } finally {
      timer?.cancel();
    }
  }

  async #close() {
    const { native } = this.host;
    this.host.ref();
    try {
      native.close(this.#id);
      if (this.workers > 0) {
        await new OwnPromise((resolve) => {
          this.#workersGone = resolve;
        });
      }
    } finally {
      this.host.unref();
    }
    native.dispose(this.#id);
    this.host.removePool(this.#id);
    this.#entries.drop();
  }
}

module.exports = { NativePool };
