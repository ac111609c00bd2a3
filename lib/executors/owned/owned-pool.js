'use strict';

const { areThreadsDebugged } = require('../../base/debugger.js');
const { limitsNow } = require('../../base/limits-clock.js');
const { hrtime, now } = require('../../base/own-time.js');
const { queueMicrotask } = require('../../base/primordials.js');
const { Code } = require('../../protocol/diagnostics.gen.js');
const { Outcome } = require('../../errors/outcome.js');
const { maxBytesOf } = require('../channels.js');
const { payloadRefusal } = require('../../errors/payload-refusal.js');
const { Refusal } = require('../../protocol/codec/grammar.js');
const { LinkedList } = require('../../base/linked-list.js');
const { PoolEntries } = require('../../entries/entries.js');
const { ages, inStartOrder, rank } = require('../start-order.js');
const { EntryTable } = require('./entry-table.js');
const { JobState } = require('../../admission/job.js');
const { GONE, JobQueue, RUNNING } = require('./job-queue.js');
const { JobsAhead } = require('./jobs-ahead.js');
const { measured } = require('./job-times.js');
const { PinnedJobs } = require('./pinned-jobs.js');
const { PoolWorkers } = require('./pool-workers.js');
const { ProcessHold } = require('./process-hold.js');
const { GIVEN_AWAY } = require('./sharing-executor.js');
const { StaffedExecutor } = require('./staffed-executor.js');
const { DETAIL_TEXTS } = require('../../protocol/details.js');
const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { AbandonResult, Detail } = require('../../protocol/wire.gen.js');

/**
 * The executor of pools and workers whose workers are threads or processes of
 * Node's own. The addon's work for isolates is done here, on the owner's thread,
 * so limits hold only while that thread is free.
 */
class OwnedPool extends StaffedExecutor {
  /** Jobs that it holds, oldest first. */
  held = new LinkedList();
  /** The entries of the pool's jobs. */
  entries;
  /** Those that workers have ahead of their turn. */
  ahead;
  #table = new EntryTable();
  #queued;
  #ages;
  #running = 0;
  #paused = false;
  #pinned = null;
  #hold;

  /**
   * @param {object} settings checked by the caller
   * @param {Function} Line the class of its workers' lines, see PoolWorker
   * @param {Function} [Workers] that of which worker takes which job
   */
  constructor(settings, Line, Workers = PoolWorkers) {
    super(settings, Line, Workers);
    this.#hold = new ProcessHold(this, this.staff);
    this.#queued = new JobQueue(settings);
    this.ahead = new JobsAhead(this, this.#queued, this.staff);
    this.#ages = ages(settings);
    this.entries = new PoolEntries(this.#table, settings.name, this);
  }

  /** The jobs that are for one given worker. */
  get pinned() {
    this.#pinned ??= new PinnedJobs(this, this.staff);
    return this.#pinned;
  }

  /** @returns {number[]} jobs queued and running, workers */
  counts() {
    return [this.#queued.size, this.#running, this.workers];
  }

  resize(workers) {
    this.ahead.takeBackAll();
    this.staff.max = workers;
    this.staff.endSurplus(workers);
    this.dispatch();
  }

  setPaused(paused) {
    this.#paused = paused;
    if (paused) this.ahead.takeBackAll();
    this.staff.pause(paused);
    if (!paused) this.dispatch();
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
    this.ahead.came(job);
    this.dispatch();
  }

  /** Takes a job for one given worker. */
  pin(job, waiting) {
    job.sent = job.stash;
    job.stash = null;
    if (this.shares !== null) this.shares.enter(job);
    this.ahead.takeBackAll();
    this.#receive(job, waiting);
  }

  #receive(job, queue) {
    this.#keep(job);
    queue.push(job);
    if (job.metrics === null) return;
    job.queuedAt = now();
    job.metrics.queued(job);
  }

  #keep(job) {
    job.arrivedAt = hrtime();
    this.entries.use(job.entry);
    this.held.push(job);
    this.#hold.changed();
    if (this.#ages) rank(job, this.settings);
  }

  // --- jobs that their key holds back, see JobsAhead ------------------------

  heldBack() {
    this.#fillAhead();
  }

  claimHeld(job) {
    return this.ahead.drop(job);
  }

  /** The worker may begin the job, which stays where it is. */
  lend(worker, job) {
    this.entries.use(job.entry);
    job.sent = job.stash;
    this.send(worker, job, true);
  }

  lentBack(job) {
    job.entry.pending -= 1;
    job.sent = null;
  }

  /** The worker has begun it, so many milliseconds ago. */
  lentBegan(job, sinceMs) {
    job.entry.pending -= 1;
    job.stash = null;
    this.admission.lanes.began(job);
    this.#keep(job);
    if (job.metrics === null) return;
    job.queuedAt = now() - sinceMs;
    job.metrics.queued(job);
  }

  remove(job) {
    const isPinned = this.#pinned?.remove(job);
    if (!isPinned && !this.#unqueue(job)) return false;
    this.over(job);
    this.#fillAhead();
    return true;
  }

  #unqueue(job) {
    return this.ahead.drop(job) && this.#queued.remove(job);
  }

  cancelRunning(job, why) {
    job.worker.cancel(job, why, this.graceOf(job));
  }

  tryToLose(job) {
    // This thread may have been busy, and has not read of its end.
    job.worker.drain();
    return job.slot < 0 ? AbandonResult.Over : AbandonResult.Abandoned;
  }

  lose(job) {
    job.abandoned = true;
    job.lostTimer?.cancel();
    job.metrics?.lost();
    this.giveUp(job.worker);
    this.#running -= 1;
    this.over(job);
  }

  // The other jobs of a worker are lost with one of them.
  othersLost() {
    const jobs = this.jobs();
    for (let i = 0; i < jobs.length; i++) {
      const job = jobs[i];
      if (job.slot !== RUNNING || !job.worker.isLost) continue;
      this.lose(job);
      const error = workerError(Code.Crashed, DETAIL_TEXTS[Detail.WorkerLost]);
      this.admission.finish(job, Outcome.Failed, error);
    }
    this.dispatch();
    this.keepMinimum();
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
    this.#hold.changed();
  }

  // --- workers --------------------------------------------------------------

  /** Gives the workers that are free what they may run. */
  dispatch() {
    if (this.#paused) return;
    if (this.#pinned !== null) {
      for (const worker of this.staff) {
        if (worker.isFree) this.#runPinned(worker);
      }
    }
    this.#hand(false);
    // They take jobs once they are ready.
    while (this.staff.wantsMore(this.#queued.size)) {
      if (this.start() !== null) continue;
      // Those that have jobs take more of them only now.
      if (this.settings.concurrentJobsPerWorker > 1) this.#hand(true);
      break;
    }
    this.#fillAhead();
  }

  #fillAhead() {
    const isHeld = this.admission.places.heldBack > 0;
    if (this.#paused || (this.#queued.size === 0 && !isHeld)) return;
    this.ahead.give(this.#pinned);
  }

  /** @param {boolean} toBusy also to workers that have jobs, and room for more */
  #hand(toBusy) {
    while (this.#queued.size > 0) {
      const worker = this.staff.free(this.#queued.first, toBusy);
      if (worker === undefined) break;
      // A job that every worker runs comes first.
      if (this.#pinned !== null && this.#runPinned(worker)) continue;
      // Another worker has begun it.
      if (!this.ahead.claim(this.#queued.first)) continue;
      const job = this.#queued.take();
      if (job.operation.isExpired()) this.endLate(job);
      else this.#run(this.staff.forHome(job.home, worker), job);
    }
  }

  /** The worker may take jobs from now on. */
  ready(worker) {
    // One that has failed reports it as well.
    if (!worker.leaving) this.startSucceeded();
    if (this.staff.hasSurplus) worker.leave();
    else this.dispatch();
  }

  /** @returns {boolean} it has taken a job that is for it alone */
  #runPinned(worker) {
    const job = this.#pinned.take(worker.number);
    if (job === undefined) return false;
    this.#run(worker, job);
    return true;
  }

  #run(worker, job) {
    this.started(worker, job, 0);
    this.send(worker, job, false);
  }

  /** @param {boolean} isAhead the job stays queued, see JobsAhead */
  send(worker, job, isAhead) {
    job.worker = worker;
    const { expiresAt, runMs } = job.operation;
    const entry = this.#table.get(job.entry.id);
    const shared = this.shared?.sendTo(worker, job.shares);
    const remainingMs = expiresAt - limitsNow();
    worker.send(job, { entry, remainingMs, runMs, shared }, isAhead);
  }

  /** The job has begun, so many milliseconds ago. */
  started(worker, job, sinceMs) {
    this.#running += 1;
    this.staff.taken(worker, job);
    job.startedAt = now() - sinceMs;
    job.metrics?.started(job, job.startedAt - job.queuedAt);
    const isTimed = job.operation.runMs !== Infinity;
    if (isTimed && worker.showsBegin) this.began(job, sinceMs);
  }

  /** See NativePool. */
  loosen() {
    this.#hold.loosen(1);
  }

  tighten() {
    this.#hold.loosen(-1);
  }

  setRef(yes) {
    this.isRef = yes;
    if (!this.isClosing) this.#hold.changed();
  }

  // --- what the workers say -------------------------------------------------

  /** The worker has begun the job, or may from now on. See `runLeft`. */
  began(job, sinceMs) {
    if (job.state === JobState.Admitted) job.operation.beginRun(sinceMs);
  }

  runLeft(job) {
    return job.worker?.runLeft(job) ?? 0;
  }

  settled(worker, job, status, detail, value) {
    if (job.abandoned) return;
    this.#running -= 1;
    if (job.metrics !== null) {
      const { queuedAt, startedAt, worker: ran } = job;
      const runMs = now() - startedAt;
      measured(job, startedAt - queuedAt, runMs, ran.number);
    }
    if (worker !== null && this.#isUsedUp(worker)) worker.leave();
    this.settle(job, status, detail, value);
    this.dispatch();
  }

  #isUsedUp(worker) {
    return (
      this.staff.isSpent(worker) ||
      (worker.jobsDone >= this.settings.recycleAfterJobs &&
        // One at a time, because all workers are used up at about the same time.
        !this.staff.othersRenew(worker)) ||
      this.staff.hasSurplus ||
      (this.isClosing && this.#queued.size === 0)
    );
  }

  /**
   * The start for which these jobs wait has failed.
   *
   * @param {bigint} at they have waited since then
   * @param {number} [most] of them that fail
   */
  failWaiting(status, detail, value, at, most = Infinity) {
    this.startFailed(status, detail, value);
    const jobs = this.jobs();
    let left = most;
    for (let i = 0; i < jobs.length && left > 0; i++) {
      const job = jobs[i];
      if (job.arrivedAt > at || !this.#unqueue(job)) continue;
      left -= 1;
      if (job.metrics !== null) measured(job, now() - job.queuedAt, 0, -1);
      this.settle(job, status, detail, value);
    }
  }

  /** A worker has ended before any code of its jobs or modules ran there. */
  bootFailed(status, detail, value, at) {
    this.failWaiting(status, detail, value, at);
  }

  replaceWorker() {
    queueMicrotask(() => this.dispatch());
  }

  /** See NativePool. */
  mail(job, channel, value, _transfer, number, maxBytes = maxBytesOf(channel)) {
    const encoding = this.encode(value, undefined, maxBytes, 'value');
    const message = this.messageOf(encoding);
    if (job !== null && job.slot !== RUNNING) return;
    const worker = job === null ? this.staff.numbered(number) : job.worker;
    worker?.mail(job, channel, message);
  }

  /** Taken back by as many `false`. */
  keepAlive(yes) {
    this.#hold.keep(yes ? 1 : -1);
  }
}

module.exports = { OwnedPool };
