'use strict';

const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { Code } = require('../../protocol/diagnostics.gen.js');
const { getHost } = require('./host.js');
const { nativeOptions } = require('./pool-options.js');
const { SubmitRing } = require('./submit-ring.js');
const { PoolEntries } = require('../../entries/entries.js');
const { PoolExecutor } = require('../executor.js');
const { DEFAULT_PRIORITY, keepEncoding } = require('../pool-job.js');
const {
  SMALL_BYTES,
  smallEncoding,
  smallKind,
  smallNumber,
} = require('../../payload/small-values.js');
const { asksForRoom, asksForSome } = require('../../base/stack-room.js');
const { now } = require('../../base/primordials.js');
const { Cancel, JobMode, SubmitAnswer } = require('../../protocol/wire.gen.js');

// As many ask whether the stack has room for them.
const FIRST_JOBS = 10_000;
const needRoomForPlain = asksForSome();
const needRoomForTimer = asksForRoom();

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
  #asksForRoom = FIRST_JOBS;

  /**
   * @param {object} settings checked by the caller
   * @param {boolean} starts its first worker, at once
   * @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE}
   */
  constructor(settings, starts) {
    super(settings);
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
    if (answer !== SubmitAnswer.Queued) this.#refused(slots.take(slot), answer);
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
    if (answer !== SubmitAnswer.Queued) {
      this.#refused(host.slots.take(slot), answer);
    }
    return promise;
  }

  submitWatched(entry, asked) {
    const { host } = this;
    const e = host.codec.last();
    // The first of a list starts a timer.
    if (asked.limits?.isEmpty) needRoomForTimer();
    const slot = this.#holdPlain(entry, e.bytes);
    if (slot < 0) return null;
    const { slots } = host;
    const promise = slots.open(slot);
    const { expiresAt, hub } = asked;
    const mode = hub === null ? 0 : JobMode.Signalled;
    const answer = this.#ring.pushWatched(slot, entry.id, e, mode, expiresAt)
      ? this.#attend(slot)
      : this.#call(slot, entry.id, e, mode, expiresAt, DEFAULT_PRIORITY);
    // Its encoding is needed no more: timers may be the caller's.
    slots.watch(slot, asked);
    asked.limits = asked.hub = null;
    if (answer !== SubmitAnswer.Queued) this.#refused(slots.take(slot), answer);
    return promise;
  }

  /** @returns {number} a slot for it; -1: it has to be a job like others */
  #holdPlain(entry, bytes) {
    // By then V8 has made one frame of what follows, which is there or is not.
    if (this.#asksForRoom > 0) {
      needRoomForPlain();
      this.#asksForRoom -= 1;
    }
    // A function of the owner's is called in the context of the job's caller.
    const id = this.hasHost ? 0 : this.admission.admitPlain(bytes);
    if (id === 0) return -1;
    this.entries.use(entry);
    this.host.ref();
    return this.host.slots.holdPlain(entry, bytes, id);
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

  #callPlain(slot, entry, e) {
    return this.#call(slot, entry, e, 0, Infinity, DEFAULT_PRIORITY);
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
