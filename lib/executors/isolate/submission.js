'use strict';

const { CallKind } = require('../../admission/call.js');
const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { NO_MEMORY_TEXT } = require('../../protocol/details.js');
const { Code } = require('../../protocol/diagnostics.gen.js');
const { getHost } = require('./host.js');
const { nativeOptions } = require('./pool-options.js');
const { SubmitRing } = require('./submit-ring.js');
const { PoolEntries } = require('../../entries/entries.js');
const { PoolExecutor } = require('../executor.js');
const {
  DEFAULT_PRIORITY,
  POOLS_GRACE,
  keepEncoding,
} = require('../pool-job.js');
const { ages, rank } = require('../start-order.js');
const { limitsNow } = require('../../base/limits-clock.js');
const { End, JobMode, SubmitAnswer } = require('../../protocol/wire.gen.js');

/** @param {number} expiresAt instant of the limits' clock, Infinity for never */
const remainingMs = (expiresAt) =>
  expiresAt === Infinity ? Infinity : expiresAt - limitsNow();

/**
 * A pool in the addon, and the submission of jobs: through the ring that the
 * workers read, or by a call if the job does not fit into the ring.
 */
class NativeSubmission extends PoolExecutor {
  host;
  /** The addon's number of the pool. */
  id;
  /** The entries of the pool's jobs. */
  entries;
  #ring;
  #ages;

  /**
   * @param {object} settings checked by the caller
   * @param {boolean} starts whether its first worker starts at once
   * @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE}
   */
  constructor(settings, starts) {
    super(settings);
    // Jobs with host functions need an object, for the caller's async context,
    // and those that age for their rank.
    this.#ages = ages(settings);
    this.takesPlain = !this.hasHost && !this.#ages;
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
      this.host.clockOffset(),
    );
  }

  /** A spare becomes the executor of a pool with these settings. */
  adopt(settings) {
    this.host.native.rename(this.id, settings.name);
    this.settings = settings;
    this.entries.drop();
    this.entries = new PoolEntries(this.host.native, settings.name, this);
  }

  submit(job) {
    const { host } = this;
    // One that has waited for a place keeps what it saw then.
    const isNew = this.shares !== null && job.stash === null;
    const e = this.#take(job);
    job.value = null;
    if (this.endedInside(job)) return;
    const { operation } = job;
    const isTimed = operation.runMs !== Infinity;
    if (this.#ages) rank(job, this.settings);
    if (isNew) this.shares.enter(job);
    if (this.isRef) host.ref();
    job.slot = host.slots.hold(job);
    this.entries.use(job.entry);
    // Workers read the ring late, and a job ages from then on. A row has no
    // room for a home, nor for a time of grace.
    const isInRing =
      !isTimed &&
      !this.#ages &&
      job.home === 0 &&
      job.graceMs === POOLS_GRACE &&
      this.#ring.push(job, e);
    const answer = isInRing ? this.#attend(job.slot) : this.#send(job, e);
    // It may start from now on.
    if (isTimed) operation.beginRun();
    if (answer !== SubmitAnswer.Queued) this.#refused(job, answer);
    if (job.metrics !== null) job.metrics.queued(job);
  }

  /** REQUIRES: `call` is no `CallKind.Object`, and its place is taken. */
  submitPlain(entry, call, id) {
    const { host } = this;
    const { encoding } = call;
    this.entries.use(entry);
    if (this.isRef) host.ref();
    const slot = host.slots.holdPlain(entry, encoding.bytes, id);
    const promise = host.slots.open(slot);
    const answer =
      call.kind === CallKind.Watched
        ? this.#sendWatched(slot, entry.id, call)
        : this.#ring.pushPlain(slot, entry.id, encoding)
          ? this.#attend(slot)
          : this.#callPlain(slot, entry.id, encoding, 0, Infinity);
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
      : this.#callPlain(slot, entry, encoding, mode, expiresAt);
    // Last, because timers may be the caller's and may encode.
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
    const args = this.fillArgs(job.slot, job.entry.id, e);
    this.fillArgsOf(job, args);
    args.home = job.home;
    return this.host.native.submit(e.slots, e.text, e.more);
  }

  #callPlain(slot, entry, e, mode, expiresAt) {
    const args = this.fillArgs(slot, entry, e);
    args.mode = mode;
    args.remainingMs = remainingMs(expiresAt);
    return this.host.native.submit(e.slots, e.text, e.more);
  }

  /** @returns {SubmitArgs} those of a plain job without limits */
  fillArgs(slot, entry, e) {
    const args = this.host.submitArgs;
    args.pool = this.id;
    args.slot = slot;
    args.entry = entry;
    args.kind = e.kind;
    args.number = e.number;
    args.slotCount = e.slotCount;
    args.remainingMs = Infinity;
    args.priority = DEFAULT_PRIORITY;
    args.mode = 0;
    args.shares = 0;
    args.runMs = Infinity;
    args.graceMs = POOLS_GRACE;
    args.home = 0;
    return args;
  }

  /** The arguments that a job has beyond a plain one. */
  fillArgsOf(job, args) {
    const { mode, metrics, operation, shares } = job;
    args.mode = metrics === null ? mode : mode | metrics.bits;
    args.shares = shares === null ? 0 : shares.number;
    args.remainingMs = remainingMs(operation.expiresAt);
    args.priority = job.priority;
    args.runMs = operation.runMs;
    args.graceMs = job.graceMs;
  }

  #attend(slot) {
    this.host.touch();
    return this.#ring.wantsKick ? this.#kick(slot) : SubmitAnswer.Queued;
  }

  #kick(slot) {
    const answer = this.host.native.kick(this.id, slot);
    // A closed pool does not take the job over.
    if (answer === SubmitAnswer.Closed) {
      this.host.native.cancel(this.id, slot, End.None);
    }
    return answer;
  }

  // Deferred, because the caller has no promise yet inside `submit`.
  #refused(job, answer) {
    this.forget(job);
    const error =
      answer === SubmitAnswer.NoThread
        ? workerError(Code.PoolUnavailable)
        : answer === SubmitAnswer.NoMemory
          ? workerError(Code.ResourceLimit, NO_MEMORY_TEXT)
          : workerError(Code.ShutdownCancelled);
    this.refuse(job, error);
  }

  /** The job has left the addon, or was never there. */
  forget(job) {
    this.host.free(job, job.slot);
    this.over(job);
  }

  copyOf(encoding) {
    return keepEncoding(encoding);
  }
}

module.exports = { NativeSubmission };
