'use strict';

const { CallKind } = require('../../admission/call.js');
const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { Code } = require('../../protocol/diagnostics.gen.js');
const { getHost } = require('./host.js');
const { nativeOptions } = require('./pool-options.js');
const { SubmitRing } = require('./submit-ring.js');
const { PoolEntries } = require('../../entries/entries.js');
const { PoolExecutor } = require('../executor.js');
const { DEFAULT_PRIORITY, keepEncoding } = require('../pool-job.js');
const { now } = require('../../base/primordials.js');
const { Cancel, JobMode, SubmitAnswer } = require('../../protocol/wire.gen.js');

/**
 * A pool in the addon, and the way of a job there: through the ring that the
 * workers read, or by a call where the ring has no place for what it carries.
 */
class NativeSubmission extends PoolExecutor {
  host;
  /** Of the pool in the addon. */
  id;
  /** What the pool's jobs call. */
  entries;
  #ring;

  /**
   * @param {object} settings checked by the caller
   * @param {boolean} starts its first worker, at once
   * @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE}
   */
  constructor(settings, starts) {
    super(settings);
    // A function of the owner's is called in the context of the job's caller.
    this.takesPlain = !this.hasHost;
    this.host = getHost();
    const { native } = this.host;
    this.entries = new PoolEntries(native, settings.name, this);
    const made = native.createPool(
      nativeOptions(settings, this.host.spinMs, starts),
    );
    this.id = made.id;
    this.#ring = new SubmitRing(
      made.ring,
      native.hasLightFence,
      this.host.clockOffset,
    );
  }

  /** A spare becomes the executor of a pool with these settings. */
  adopt(settings) {
    // It wakes up while the owner reads the first job.
    this.host.native.expect(this.id);
    this.settings = settings;
    this.entries.drop();
    this.entries = new PoolEntries(this.host.native, settings.name, this);
  }

  submit(job) {
    const { host } = this;
    const e = this.#take(job);
    job.value = null;
    host.ref();
    job.slot = host.slots.hold(job);
    this.entries.use(job.entry);
    const answer = this.#ring.push(job, e)
      ? this.#attend(job.slot)
      : this.#send(job, e);
    if (answer !== SubmitAnswer.Queued) this.#refused(job, answer);
    if (job.watcher !== null) job.watcher.queued(job);
  }

  /** REQUIRES: `call` is no `CallKind.Object`, and its place is taken. */
  submitPlain(entry, call, id) {
    const { host } = this;
    const { encoding } = call;
    this.entries.use(entry);
    host.ref();
    const slot = host.slots.holdPlain(entry, encoding.bytes, id);
    const promise = host.slots.open(slot);
    const answer =
      call.kind === CallKind.Watched
        ? this.#sendWatched(slot, entry.id, call)
        : this.#ring.pushPlain(slot, entry.id, encoding)
          ? this.#attend(slot)
          : this.#call(slot, entry.id, encoding, 0, Infinity, DEFAULT_PRIORITY);
    if (answer !== SubmitAnswer.Queued) {
      this.#refused(host.slots.take(slot), answer);
    }
    return promise;
  }

  #sendWatched(slot, entry, call) {
    const { encoding, expiresAt, hub } = call;
    const mode = hub === null ? 0 : JobMode.Signalled;
    const answer = this.#ring.pushWatched(
      slot,
      entry,
      encoding,
      mode,
      expiresAt,
    )
      ? this.#attend(slot)
      : this.#call(slot, entry, encoding, mode, expiresAt, DEFAULT_PRIORITY);
    // Its encoding is needed no more: timers may be the caller's.
    this.host.slots.watch(slot, call);
    call.limits = call.hub = null;
    return answer;
  }

  #take(job) {
    const { stash } = job;
    if (stash === null) return this.encodingOf(job);
    job.stash = null;
    return stash;
  }

  #send(job, e) {
    const { mode, priority, slot, watcher } = job;
    const bits = watcher === null ? mode : mode | watcher.bits;
    const { expiresAt } = job.operation;
    return this.#call(slot, job.entry.id, e, bits, expiresAt, priority);
  }

  #call(slot, entry, e, mode, expiresAt, priority) {
    return this.host.native.submit(
      this.id,
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
    return this.#ring.wantsKick ? this.#kick(slot) : SubmitAnswer.Queued;
  }

  #kick(slot) {
    const answer = this.host.native.kick(this.id, slot);
    // A pool that is closed takes nothing over: the job is still there.
    if (answer === SubmitAnswer.Closed) {
      this.host.native.cancel(this.id, slot, Cancel.NotCancelled);
    }
    return answer;
  }

  // Not inside `submit`: the caller has no promise yet.
  #refused(job, answer) {
    this.forget(job);
    const error =
      answer === SubmitAnswer.NoThread
        ? workerError(Code.PoolUnavailable)
        : answer === SubmitAnswer.NoMemory
          ? workerError(Code.ResourceLimit)
          : workerError(Code.ShutdownCancelled);
    this.refuse(job, error);
  }

  /** The job has left the addon, or never was there. */
  forget(job) {
    this.host.letGo(job, job.slot);
    this.over(job);
  }

  copyOf(encoding) {
    return keepEncoding(encoding);
  }
}

module.exports = { NativeSubmission };
