'use strict';

const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { areThreadsDebugged } = require('../../base/debugger.js');
const { limitsNow } = require('../../base/limits-clock.js');
const { hrtime, now } = require('../../base/own-time.js');
const { queueMicrotask } = require('../../base/primordials.js');
const { maxBytesOf } = require('../channels.js');
const { payloadRefusal } = require('../../errors/payload-refusal.js');
const { Refusal } = require('../../protocol/codec/grammar.js');
const { Code } = require('../../protocol/diagnostics.gen.js');
const { LinkedList } = require('../../base/linked-list.js');
const { PoolEntries } = require('../../entries/entries.js');
const { ages, inStartOrder, rank } = require('../start-order.js');
const { threadOptions } = require('../realm-options.js');
const { EntryTable } = require('./entry-table.js');
const { JobState } = require('../../admission/job.js');
const { takeBuffers } = require('./plain-codec.js');
const { GONE, JobQueue, RUNNING } = require('./job-queue.js');
const { PinnedJobs } = require('./pinned-jobs.js');
const { PoolThreads } = require('./pool-threads.js');
const { SharingExecutor } = require('./sharing-executor.js');
const { AbandonResult, Times } = require('../../protocol/wire.gen.js');

// Replaces a payload that was taken after it was read.
const GIVEN_AWAY = Symbol('given away');

// Times for metrics: CPU time and the size of results are not measured.
const times = new Float64Array([0, 0, -1, -1, -1, -1]);

function measured(job, queuedMs, runMs, worker) {
  times[Times.Queued] = queuedMs;
  times[Times.Run] = runMs;
  times[Times.Worker] = worker;
  job.metrics.ended(job, times, 0);
}

/**
 * The executor of pools and workers with `runtime: 'thread'`: Node's own
 * worker_threads, one job at a time with each. The addon's work for isolates is
 * done here, on the owner's thread, so limits hold only while that thread is
 * free.
 */
class ThreadPool extends SharingExecutor {
  /** Jobs that it holds, oldest first. */
  held = new LinkedList();
  /** The entries of the pool's jobs. */
  entries;
  #options;
  #table = new EntryTable();
  #queued;
  #ages;
  #running = 0;
  #threads;
  #paused = false;
  // Number of held jobs that do not keep the process alive.
  #loose = 0;
  #pinned = null;

  constructor(settings) {
    super(settings);
    this.#threads = new PoolThreads(settings.workers);
    this.#options = threadOptions(settings);
    this.#queued = new JobQueue(settings);
    this.#ages = ages(settings);
    this.entries = new PoolEntries(this.#table, settings.name, this);
  }

  /**
   * Only isolates have profiles and snapshots; Node's own tools serve threads.
   */
  get inspector() {
    throw workerError(
      Code.FeatureUnavailable,
      'profiles, snapshots and stats of workers need the isolate runtime',
    );
  }

  /** For jobs that are for one given thread. */
  get pinned() {
    this.#pinned ??= new PinnedJobs(this, this.#threads);
    return this.#pinned;
  }

  get workers() {
    return this.#threads.size;
  }

  /** @returns {number[]} jobs queued and running, workers */
  counts() {
    return [this.#queued.size, this.#running, this.#threads.size];
  }

  listen(wanted) {
    this.#threads.listen(wanted);
  }

  prestart(count) {
    const wanted = Math.min(count, this.#threads.max);
    while (this.#threads.size < wanted && this.#start() !== null);
  }

  // Replaces a thread that could start, and is gone. Of those that cannot, the
  // next job tries another.
  #keepMinimum() {
    queueMicrotask(() => {
      if (this.isClosing || this.admission.stopped) return;
      this.prestart(this.settings.minWorkers);
    });
  }

  resize(workers) {
    this.#threads.max = workers;
    this.#threads.endSurplus(workers);
    this.dispatch();
  }

  setPaused(paused) {
    this.#paused = paused;
    this.#threads.pause(paused);
    if (!paused) this.dispatch();
  }

  /** Ends idle threads until `keep` are left. */
  trim(keep) {
    this.#threads.endSurplus(keep);
  }

  // --- what Admission asks of an executor ---------------------------------

  submit(job) {
    const { stash } = job;
    job.sent = stash ?? this.copyOf(this.encodingOf(job));
    if (stash !== null) job.stash = null;
    job.value = null;
    if (this.endedInside(job)) return;
    if (job.sent === GIVEN_AWAY) {
      this.refuse(job, payloadRefusal(Refusal.UNREADABLE, undefined, 'input'));
      return;
    }
    // One that has waited for a place keeps what it saw then.
    if (stash === null && this.shares !== null) this.shares.enter(job);
    this.#receive(job, this.#queued);
    this.dispatch();
  }

  /** Takes a job for one given thread. */
  pin(job, waiting) {
    job.sent = job.stash;
    job.stash = null;
    if (this.shares !== null) this.shares.enter(job);
    this.#receive(job, waiting);
  }

  #receive(job, queue) {
    job.arrivedAt = hrtime();
    this.entries.use(job.entry);
    this.held.push(job);
    this.#holdOrNot();
    if (this.#ages) rank(job, this.settings);
    queue.push(job);
    if (job.metrics === null) return;
    job.queuedAt = now();
    job.metrics.queued(job);
  }

  copyOf(encoding) {
    try {
      return takeBuffers(encoding);
    } catch {
      return GIVEN_AWAY;
    }
  }

  remove(job) {
    const isPinned = this.#pinned?.remove(job);
    if (!isPinned && !this.#queued.remove(job)) return false;
    this.over(job);
    return true;
  }

  cancelRunning(job, why) {
    job.thread.cancel(why, this.settings.cancelGraceMs);
  }

  tryToLose() {
    return AbandonResult.Abandoned;
  }

  lose(job) {
    job.abandoned = true;
    job.metrics?.lost();
    this.#threads.lose(job.thread);
    this.#running -= 1;
    this.over(job);
  }

  othersLost() {
    this.dispatch();
    this.#keepMinimum();
  }

  /** Limits of time stand still in a debugger. */
  isDebugged() {
    return areThreadsDebugged();
  }

  jobs() {
    return inStartOrder(this.held.toArray(), this.settings);
  }

  over(job) {
    job.slot = GONE;
    job.sent = null;
    super.over(job);
    this.held.remove(job);
    this.#holdOrNot();
  }

  forceStop() {
    this.#threads.kill();
  }

  // --- threads --------------------------------------------------------------

  /** Gives the threads that are free what they may run. */
  dispatch() {
    if (this.#paused) return;
    if (this.#pinned !== null) {
      for (const thread of this.#threads) {
        if (thread.isFree) this.#runPinned(thread);
      }
    }
    while (this.#queued.size > 0) {
      const thread = this.#threads.free();
      if (thread === undefined) break;
      // There is something that every thread runs first.
      if (this.#pinned !== null && this.#runPinned(thread)) continue;
      const job = this.#queued.take();
      if (job.operation.isExpired()) this.endLate(job);
      else this.#run(this.#threads.forHome(job.home, thread), job);
    }
    // They take jobs once they are ready.
    while (this.#queued.size > this.#threads.starting) {
      if (this.#start() === null) return;
    }
  }

  /** The thread may take jobs from now on. */
  ready(thread) {
    if (this.#threads.hasSurplus) thread.leave();
    else this.dispatch();
  }

  /** @returns {boolean} it has taken a job that is for it alone */
  #runPinned(thread) {
    const job = this.#pinned.take(thread.number);
    if (job === undefined) return false;
    this.#run(thread, job);
    return true;
  }

  #run(thread, job) {
    this.#running += 1;
    job.thread = thread;
    const { expiresAt } = job.operation;
    const entry = this.#table.get(job.entry.id);
    const startedAt = now();
    job.startedAt = startedAt;
    const { runMs } = job.operation;
    const shared = this.shared?.sendTo(thread, job.shares);
    thread.run(job, entry, expiresAt - limitsNow(), runMs, shared);
    job.metrics?.started(job, startedAt - job.queuedAt);
  }

  /** @returns {PoolThread | null} null if no further thread is allowed */
  #start() {
    if (this.#threads.size >= this.#threads.max) return null;
    let thread;
    try {
      thread = this.#threads.create(this, this.#options);
    } catch (cause) {
      if (this.#threads.size === 0) this.failQueued(cause);
      return null;
    }
    this.#threads.add(thread);
    this.fresh(thread.number);
    return thread;
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

  setRef(yes) {
    this.isRef = yes;
    if (!this.isClosing) this.#holdOrNot();
  }

  #holdOrNot() {
    const wanted = this.isRef && this.held.size > this.#loose;
    if (wanted !== this.#threads.isHolding) this.#threads.hold(wanted);
  }

  // --- what the threads say -------------------------------------------------

  /** The thread has begun the job, so many milliseconds ago. */
  began(job, sinceMs) {
    if (job.state === JobState.Admitted) job.operation.beginRun(sinceMs);
  }

  settled(thread, job, status, detail, value) {
    if (job.abandoned) return;
    this.#running -= 1;
    if (job.metrics !== null) {
      const { queuedAt, startedAt, thread: ran } = job;
      const runMs = now() - startedAt;
      measured(job, startedAt - queuedAt, runMs, ran.number);
    }
    if (thread !== null && this.#isUsedUp(thread)) thread.leave();
    this.settle(job, status, detail, value);
    this.dispatch();
  }

  #isUsedUp(thread) {
    return (
      (thread.jobsDone >= this.settings.recycleAfterJobs &&
        // One at a time, because all threads are used up at about the same time.
        !this.#threads.othersRenew(thread)) ||
      this.#threads.hasSurplus ||
      (this.isClosing && this.#queued.size === 0)
    );
  }

  /** The start for which these jobs wait has failed. */
  failWaiting(status, detail, value, at) {
    const jobs = this.jobs();
    for (let i = 0; i < jobs.length; i++) {
      const job = jobs[i];
      if (job.arrivedAt > at || !this.#queued.remove(job)) continue;
      if (job.metrics !== null) {
        measured(job, now() - job.queuedAt, 0, -1);
      }
      this.settle(job, status, detail, value);
    }
  }

  exited(thread) {
    this.#threads.delete(thread);
    this.workerExited(undefined, thread.isOnline);
    if (thread.isReady) this.#keepMinimum();
  }

  replaceWorker() {
    queueMicrotask(() => this.dispatch());
  }

  /** See NativePool. */
  mail(job, channel, value, _transfer, number, maxBytes = maxBytesOf(channel)) {
    const { text } = this.encode(value, undefined, maxBytes, 'value');
    if (job !== null && job.slot !== RUNNING) return false;
    const thread = job === null ? this.#threads.numbered(number) : job.thread;
    if (thread === undefined) return false;
    thread.mail(job !== null, channel, text);
    return true;
  }

  keepAlive(yes) {
    this.#threads.hold(yes);
  }

  endWorkers() {
    this.#threads.leave();
  }

  giveUpWorkers() {
    for (const thread of [...this.#threads]) this.#threads.lose(thread);
  }
}

module.exports = { ThreadPool };
