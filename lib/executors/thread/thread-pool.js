'use strict';

const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { Outcome } = require('../../errors/outcome.js');
const { maxBytesOf } = require('../channels.js');
const { payloadRefusal } = require('../../errors/payload-refusal.js');
const { Code } = require('../../protocol/diagnostics.gen.js');
const { Fifo } = require('../../base/fifo.js');
const { LinkedList } = require('../../base/linked-list.js');
const { PoolEntries } = require('../../entries/entries.js');
const { PoolExecutor } = require('../executor.js');
const { inStartOrder } = require('../pool-job.js');
const { threadOptions } = require('../realm-options.js');
const { needMuchRoom } = require('../../base/stack-room.js');
const { EntryTable } = require('./entry-table.js');
const { Refusal, createPlainCodec, takeBuffers } = require('./plain-codec.js');
const { PoolThread } = require('./pool-thread.js');
const { schedule } = require('../../timers/timer-heap.js');
const { Cancel, Times } = require('../../protocol/wire.gen.js');

const hrtime = process.hrtime.bigint;
const PRIORITIES = 8;
// Instead of a payload that somebody else took after it was read.
const GIVEN_AWAY = Symbol('given away');
// A job's slot: not here, waiting, or with a thread.
const [GONE, QUEUED, RUNNING] = [-1, 0, 1];
// Node ends a thread within milliseconds, unless its code never looks.
const UNRESPONSIVE_MS = 2000;

// What a watcher is told: CPU time and the size of results have no measure.
const times = new Float64Array([0, 0, -1, -1]);

/**
 * The executor of pools and workers with `runtime: 'thread'`: Node's own
 * worker_threads, one job at a time with each. What an addon does for isolates
 * is done here, on the owner's thread: its limits hold while that is free.
 */
class ThreadPool extends PoolExecutor {
  /** How many encodings there were: see NativeHost. */
  host = { encodings: 0 };
  /** The jobs it holds, oldest first. */
  held = new LinkedList();
  #codec = createPlainCodec();
  #last = null;
  #settings;
  #options;
  #table = new EntryTable();
  #entries;
  #queues = Array.from({ length: PRIORITIES }, () => new Fifo());
  #queued = 0;
  #running = 0;
  #threads = new Set();
  #lastThread = 0;
  #maxThreads;
  #paused = false;
  #closed = null;
  #listening = false;
  #isHolding = false;
  // Of the jobs it holds, those that do not keep the process alive.
  #loose = 0;
  #threadsGone = null;

  constructor(settings) {
    super(settings);
    this.#settings = settings;
    this.#maxThreads = settings.workers;
    this.#options = threadOptions(settings);
    this.#entries = new PoolEntries(this.#table, settings.name, this);
  }

  get entries() {
    return this.#entries;
  }

  /** Profiles and snapshots are for isolates: here Node's own tools do. */
  get inspector() {
    throw workerError(
      Code.FeatureUnavailable,
      'profiles, snapshots and stats of workers need the isolate runtime',
    );
  }

  get workers() {
    return this.#threads.size;
  }

  /** @returns {number[]} jobs queued and running, workers */
  counts() {
    return [this.#queued, this.#running, this.#threads.size];
  }

  /** @throws {SloppyWorkerError} for a payload that cannot be sent */
  encode(
    value,
    transfer,
    maxBytes = this.#settings.maxPayloadBytes,
    root = 'input',
  ) {
    this.host.encodings += 1;
    try {
      this.#last = this.#codec.encode(value, maxBytes, transfer);
      return this.#last;
    } catch (error) {
      if (error !== this.#codec.refused) throw error;
      throw payloadRefusal(error.reason, value, root);
    }
  }

  get lastEncoding() {
    return this.#last;
  }

  listen(wanted) {
    this.#listening = wanted;
    for (const thread of this.#threads) thread.listen(wanted);
  }

  prestart(count) {
    const wanted = Math.min(count, this.#maxThreads);
    while (this.#threads.size < wanted && this.#start() !== null);
  }

  resize(workers) {
    this.#maxThreads = workers;
    this.#endSurplus(workers);
    this.#dispatch();
  }

  pause(paused) {
    this.#paused = paused;
    if (!paused) this.#dispatch();
  }

  /** Ends idle threads until `keep` are left. */
  trim(keep) {
    this.#endSurplus(keep);
  }

  // --- what Admission asks of an executor ---------------------------------

  submit(job) {
    job.sent = this.#take(job);
    job.stash = job.value = null;
    if (job.sent === GIVEN_AWAY) {
      this.#refuse(job, payloadRefusal(Refusal.Unreadable, undefined, 'input'));
      return;
    }
    job.slot = QUEUED;
    if (this.#settings.init !== undefined) job.arrivedAt = hrtime();
    this.#entries.use(job.entry);
    this.held.push(job);
    this.#holdOrNot();
    this.#queues[job.priority].push(job);
    this.#queued += 1;
    if (job.watcher !== null) {
      job.queuedAt = performance.now();
      job.watcher.queued(job);
    }
    this.#dispatch();
  }

  #take(job) {
    if (job.stash !== null) return job.stash;
    const encoded =
      job.encoding === this.host.encodings
        ? this.#last
        : this.encode(job.value, job.transfer);
    try {
      return takeBuffers(encoded);
    } catch {
      return GIVEN_AWAY;
    }
  }

  /** The job has to wait for a place: its copy is kept. */
  keep(job) {
    job.stash = this.#take(job);
    job.value = null;
  }

  remove(job) {
    if (job.slot !== QUEUED) return false;
    this.#queued -= 1;
    this.over(job);
    return true;
  }

  interrupt(job, reason) {
    if (job.slot !== RUNNING) return;
    const why = job.operation.isExpired() ? Cancel.TimedOut : Cancel.Cancelled;
    const { cancelGraceMs } = this.#settings;
    // Code that is terminated at once learns nothing.
    if (cancelGraceMs > 0 && why === Cancel.Cancelled) {
      this.sendReason(job, reason);
      // A getter of the reason's may have ended the job.
      if (job.slot !== RUNNING) return;
    }
    job.thread.cancel(why, cancelGraceMs);
    job.lostTimer ??= schedule(
      performance.now() + cancelGraceMs + UNRESPONSIVE_MS,
      () => this.#abandon(job),
    );
  }

  // Its thread costs itself, and not the pool.
  #abandon(job) {
    if (job.slot !== RUNNING) return;
    job.abandoned = true;
    this.#threads.delete(job.thread);
    job.thread.hold(false);
    this.#running -= 1;
    this.over(job);
    this.admission.release(job);
    this.#dispatch();
  }

  jobs() {
    return inStartOrder(this.held.toArray());
  }

  over(job) {
    job.slot = GONE;
    super.over(job);
    this.held.remove(job);
    this.#holdOrNot();
  }

  forceStop() {
    for (const thread of this.#threads) thread.kill();
  }

  // --- threads --------------------------------------------------------------

  #dispatch() {
    while (!this.#paused && this.#queued > 0) {
      const thread = this.#free() ?? this.#start();
      if (thread === null) return;
      const job = this.#next();
      this.#queued -= 1;
      this.#running += 1;
      job.slot = RUNNING;
      job.thread = thread;
      const { expiresAt } = job.operation;
      const entry = this.#table.get(job.entry.id);
      const now = performance.now();
      job.startedAt = now;
      thread.run(job, entry, expiresAt - now);
      job.watcher?.started(job, now - job.queuedAt);
    }
  }

  // Those that were removed are still in their queue.
  #next() {
    for (const queue of this.#queues) {
      while (queue.length > 0) {
        const job = queue.shift();
        if (job.slot === QUEUED) return job;
      }
    }
    return undefined;
  }

  #free() {
    if (this.#threads.size > this.#maxThreads) return undefined;
    for (const thread of this.#threads) {
      if (thread.job === null && !thread.leaving) return thread;
    }
    return undefined;
  }

  /** @returns {PoolThread | null} null where there may be no other */
  #start() {
    if (this.#threads.size >= this.#maxThreads) return null;
    let thread;
    try {
      needMuchRoom();
      thread = new PoolThread(
        this,
        ++this.#lastThread,
        this.#options,
        this.#settings,
      );
    } catch (cause) {
      if (this.#threads.size === 0) this.#failQueued(cause);
      return null;
    }
    this.#threads.add(thread);
    if (this.#listening) thread.listen(true);
    if (this.#isHolding) thread.hold(true);
    return thread;
  }

  // Nobody will ever take them.
  #failQueued(cause) {
    const jobs = this.jobs();
    for (let i = 0; i < jobs.length; i++) {
      const job = jobs[i];
      if (this.remove(job))
        this.#refuse(
          job,
          workerError(Code.PoolUnavailable, undefined, { cause }),
        );
    }
  }

  // Later: the caller has no promise yet.
  #refuse(job, error) {
    queueMicrotask(() => this.admission.finish(job, Outcome.Failed, error));
  }

  #endSurplus(keep) {
    let left = this.#threads.size;
    for (const thread of this.#threads) {
      if (left <= keep) return;
      if (thread.job !== null || thread.leaving) continue;
      thread.leave();
      left -= 1;
    }
  }

  /** See NativePool. */
  loosen() {
    this.#loose += 1;
    this.#holdOrNot();
  }

  tighten() {
    this.#loose -= 1;
    this.#holdOrNot();
  }

  #holdOrNot() {
    const wanted = this.held.size > this.#loose;
    if (wanted !== this.#isHolding) this.#hold(wanted);
  }

  #hold(yes) {
    this.#isHolding = yes;
    for (const thread of this.#threads) thread.hold(yes);
  }

  // --- what the threads say -------------------------------------------------

  settled(thread, job, status, detail, value) {
    if (job.abandoned) return;
    this.#running -= 1;
    if (job.watcher !== null) {
      times[Times.Queued] = job.startedAt - job.queuedAt;
      times[Times.Run] = performance.now() - job.startedAt;
      job.watcher.ended(job, times, 0);
    }
    if (thread !== null && this.#isUsedUp(thread)) thread.leave();
    this.settle(job, status, detail, value);
    this.#dispatch();
  }

  #isUsedUp(thread) {
    return (
      (thread.jobsDone >= this.#settings.recycleAfterJobs &&
        !this.#othersRenew(thread)) ||
      this.#threads.size > this.#maxThreads ||
      (this.#closed !== null && this.#queued === 0)
    );
  }

  /** The init that they wait for has failed. */
  failWaiting(status, detail, value, at) {
    const jobs = this.jobs();
    for (let i = 0; i < jobs.length; i++) {
      const job = jobs[i];
      if (job.slot !== QUEUED || job.arrivedAt > at) continue;
      this.#queued -= 1;
      if (job.watcher !== null) {
        times[0] = performance.now() - job.queuedAt;
        times[1] = 0;
        job.watcher.ended(job, times, 0);
      }
      this.settle(job, status, detail, value);
    }
  }

  // One at a time, because all are used up at about the same time.
  #othersRenew(thread) {
    for (const other of this.#threads) {
      if (other !== thread && other.isRenewing()) return true;
    }
    return false;
  }

  exited(thread) {
    this.#threads.delete(thread);
    this.workerExited();
    if (this.#threads.size === 0) this.#threadsGone?.();
    if (this.#closed === null) queueMicrotask(() => this.#dispatch());
  }

  /** See NativePool. */
  mail(job, channel, value, _transfer, number, maxBytes = maxBytesOf(channel)) {
    const { text } = this.encode(value, undefined, maxBytes, 'value');
    if (job !== null && job.slot !== RUNNING) return false;
    const thread = job === null ? this.#numbered(number) : job.thread;
    if (thread === undefined) return false;
    thread.mail(job !== null, channel, text);
    return true;
  }

  #numbered(number) {
    const threads = [...this.#threads];
    return threads.find((thread) => thread.number === number) ?? threads[0];
  }

  /**
   * Ends the threads. REQUIRES: no job is admitted any more. May be called
   * again, for instance with less time; every call waits for them.
   *
   * @param {number} [timeoutMs] for the `dispose` of their modules
   * @returns {Promise<void>} resolves when they are gone
   */
  async close(timeoutMs = Infinity) {
    const until = performance.now() + timeoutMs;
    const timer =
      timeoutMs === Infinity ? null : schedule(until, () => this.forceStop());
    this.#closed ??= this.#close();
    await this.#closed;
    timer?.cancel();
  }

  async #close() {
    if (this.#threads.size > 0) {
      await new Promise((resolve) => {
        this.#threadsGone = resolve;
        this.#hold(true);
        for (const thread of this.#threads) thread.leave();
      });
    }
    this.#entries.drop();
  }
}

module.exports = { ThreadPool };
