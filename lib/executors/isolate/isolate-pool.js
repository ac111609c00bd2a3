'use strict';

const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { Outcome } = require('../../errors/outcome.js');
const { Code } = require('../../protocol/diagnostics.gen.js');
const { OwnMap } = require('../../base/primordials.js');
const { maxBytesOf } = require('../channels.js');
const { DETAIL_TEXTS, NO_MEMORY_TEXT } = require('../../protocol/details.js');
const { Carry, isCloned } = require('../../protocol/codec/grammar.js');
const { identityOf } = require('../identity.js');
const { Inspector } = require('./inspector.js');
const { PinnedJobs } = require('./pinned-jobs.js');
const { processFacts } = require('./process-facts.js');
const { NativeSubmission } = require('./submission.js');
const { inStartOrder } = require('../start-order.js');
const {
  Channel,
  Detail,
  End,
  Removal,
  Sent,
} = require('../../protocol/wire.gen.js');

/**
 * The executor of pools and workers: hands admitted jobs to the addon, whose
 * threads take them by themselves, and settles the jobs that come back.
 *
 * Every job in the addon is in the host's table and comes back exactly once,
 * unless `remove` got it back before it started.
 */
class NativePool extends NativeSubmission {
  #inspector = null;
  // The identities of the workers that live, by number.
  #identities = new OwnMap();
  #pinned = null;
  // The figures of shared values stay here once the pool has ended.
  #sharedTaken;
  // Number of its jobs that do not keep the process alive.
  #loose = 0;

  /** @param {boolean} [starts] whether its first worker starts at once */
  constructor(settings, starts = false) {
    super(settings, starts);
    this.host.addPool(this.id, this);
    if (settings.init !== undefined) this.#setInitData(settings.init.data);
  }

  #setInitData(data) {
    const e = this.encode(data, undefined, undefined, 'init.data');
    const { kind, number, slots, slotCount, text, more } = e;
    const { native } = this.host;
    native.setInitData(this.id, kind, number, slots, slotCount, text, more);
  }

  /** Sets whether uncaught errors of workers are reported to the owner. */
  listen(wanted) {
    this.host.native.setListens(this.id, wanted);
  }

  /** Sets whether what workers print is reported to the owner. */
  hear(wanted) {
    this.host.native.setHears(this.id, wanted);
  }

  needRuntime() {
    this.host.native.needRuntime(this.id);
  }

  /** Makes profiles, snapshots and statistics of the workers. */
  get inspector() {
    this.#inspector ??= new Inspector(
      this.host,
      this.id,
      this.settings.memoryLimitMb,
      (number) => this.#identities.get(number),
    );
    return this.#inspector;
  }

  // --- what Shares asks of an executor --------------------------------------

  get sharedEncoder() {
    return this.host;
  }

  /** Memory is shared in any case with clones. */
  get sharedCarry() {
    const { carry } = this.settings;
    return isCloned(carry) ? carry : Carry.SHARING;
  }

  /** @throws {SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED} no memory */
  holdShared(at, { kind, number, slots, slotCount, text, more }) {
    const { native } = this.host;
    const bytes = native.share(
      this.id,
      at,
      kind,
      number,
      slots,
      slotCount,
      text,
      more,
    );
    if (bytes < 0) throw workerError(Code.ResourceLimit, NO_MEMORY_TEXT);
  }

  dropShared(numbers) {
    const { native } = this.host;
    for (let i = 0; i < numbers.length; i++)
      native.unshare(this.id, numbers[i]);
    this.forgetShared(numbers);
  }

  sharedTaken() {
    return this.#sharedTaken ?? this.host.native.sharedTaken(this.id);
  }

  /** The jobs that are for one given worker. */
  get pinned() {
    this.#pinned ??= new PinnedJobs(this);
    return this.#pinned;
  }

  /** @returns {boolean} false if the system had no thread */
  prestart(count) {
    return this.host.native.prestart(this.id, count);
  }

  resize(workers) {
    if (this.settings.environments !== undefined) {
      this.host.native.setProcessFacts(this.id, processFacts(this.settings));
    }
    this.host.native.resize(this.id, workers);
  }

  setPaused(paused) {
    this.host.native.pause(this.id, paused);
  }

  trim(keep) {
    this.host.native.trim(this.id, keep);
  }

  recycleWorkers() {
    const numbers = this.workerNumbers();
    this.host.native.recycle(this.id);
    return numbers;
  }

  workerNumbers() {
    return this.host.native.workerNumbers(this.id);
  }

  identities() {
    const all = [];
    this.#identities.forEach((worker) => {
      all[all.length] = worker;
    });
    return all;
  }

  get workers() {
    return this.host.native.workers(this.id);
  }

  /** @returns {number[]} jobs queued and running, workers */
  counts() {
    return this.host.native.counts(this.id);
  }

  // --- what Admission asks of an executor ---------------------------------

  /** Limits of runs count from the start of the job in its worker. */
  runLeft(job) {
    return job.slot < 0 ? 0 : this.host.native.runLeft(this.id, job.slot);
  }

  jobs() {
    return inStartOrder(this.host.slots.of(this), this.settings);
  }

  remove(job) {
    if (job.slot < 0) return false;
    const { native } = this.host;
    if (native.cancel(this.id, job.slot, End.None) !== Removal.Removed) {
      return false;
    }
    this.forget(job);
    return true;
  }

  cancelRunning(job, why) {
    this.host.native.cancel(this.id, job.slot, why);
  }

  tryToLose(job) {
    return this.host.native.abandon(this.id, job.slot);
  }

  lose(job) {
    job.lostTimer?.cancel();
    job.metrics?.lost();
    this.host.abandon(job);
    this.#inspector?.workersChanged();
    this.over(job);
  }

  // Loses the jobs that awaited on the same thread.
  othersLost() {
    const jobs = this.jobs();
    for (let i = 0; i < jobs.length; i++) {
      const job = jobs[i];
      if (!this.host.native.isLost(this.id, job.slot)) continue;
      this.lose(job);
      const error = workerError(Code.Crashed, DETAIL_TEXTS[Detail.WorkerLost]);
      this.admission.finish(job, Outcome.Failed, error);
    }
  }

  forceStop() {
    this.host.native.terminate(this.id);
  }

  message(job, channel, value, worker) {
    if (channel === Channel.Inspected) this.#inspector?.answered(value);
    else super.message(job, channel, value, worker);
  }

  /**
   * Sends a value to a running job, or to a worker. Without a receiver, it is
   * dropped.
   *
   * @param {PoolJob | null} job
   * @param {number} channel one of Channel
   * @param {unknown} value
   * @param {ArrayBuffer[]} [transfer]
   * @param {number} [worker] of that number; default: the oldest
   * @param {number} [maxBytes]
   * @throws {SloppyWorkerError} for a payload that cannot be sent, also
   *   because there is no memory for a copy of it
   */
  mail(
    job,
    channel,
    value,
    transfer,
    worker = Infinity,
    maxBytes = maxBytesOf(channel),
  ) {
    const e = this.encode(value, transfer, maxBytes, 'value');
    if (job !== null && job.slot < 0) return;
    const sent = this.host.native.mail(
      this.id,
      job === null ? -worker : job.slot,
      channel,
      e.kind,
      e.number,
      e.slots,
      e.slotCount,
      e.text,
      e.more,
    );
    if (sent === Sent.NoMemory) {
      throw workerError(Code.ResourceLimit, NO_MEMORY_TEXT);
    }
  }

  /** One of its jobs stops keeping the process alive, until `tighten`. */
  loosen() {
    this.#loose += 1;
    if (this.isRef) this.host.unref();
  }

  tighten() {
    this.#loose -= 1;
    if (this.isRef) this.host.ref();
  }

  setRef(yes) {
    if (yes === this.isRef) return;
    this.isRef = yes;
    const count = this.host.slots.countOf(this) - this.#loose;
    this.host.addRefs(yes ? count : -count);
  }

  workerBegan(number, place, threadId) {
    const worker = identityOf(number, place, threadId);
    this.#identities.set(number, worker);
    this.workerStarted(worker);
  }

  /** A spare has its pool, which has not heard of its workers. */
  tellWorkers() {
    this.#identities.forEach((worker) => {
      this.workerStarted(worker);
    });
  }

  workerEnded(why, number) {
    const worker = this.#identities.get(number);
    this.#identities.delete(number);
    this.#inspector?.workersChanged();
    this.workerExited(why, worker);
  }

  /**
   * A worker goes on with `init` or `dispose` though that was terminated, so it
   * is given up. Jobs that wait for such an `init` would wait for the next one
   * as well.
   */
  workerStuck(number, inInit) {
    this.host.native.giveUp(this.id, number);
    this.#inspector?.workersChanged();
    this.othersLost();
    if (inInit) {
      const text = DETAIL_TEXTS[Detail.InitEnded];
      this.endQueued(() => workerError(Code.StartupFailed, text));
    } else {
      this.host.native.startForQueued(this.id);
      if (!this.isClosing) this.replaceWorker();
    }
    this.workerLost();
  }

  giveUpWorkers() {
    const numbers = this.host.native.workerNumbers(this.id);
    for (let i = 0; i < numbers.length; i++) {
      this.host.native.giveUp(this.id, numbers[i]);
    }
  }

  // The addon replaces a lost worker while there is work. If the system gives
  // no thread and none is left, no worker will ever take the jobs.
  replaceWorker() {
    const { minWorkers } = this.settings;
    if (minWorkers > 0 && !this.admission.stopped) this.prestart(minWorkers);
    if (this.workers > 0 || this.jobs().length === 0) return;
    if (!this.prestart(1)) this.failQueued();
  }

  keepAlive(yes) {
    if (yes) this.host.ref();
    else this.host.unref();
  }

  endWorkers() {
    this.host.native.close(this.id);
  }

  endNow() {
    this.host.native.endNow(this.id);
  }

  closed() {
    this.#inspector?.stopped();
    if (this.shares !== null) this.#sharedTaken = this.sharedTaken();
    this.host.native.dispose(this.id);
    this.host.removePool(this.id);
  }
}

module.exports = { NativePool };
