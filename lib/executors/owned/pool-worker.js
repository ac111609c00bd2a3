'use strict';

const { hrtime, now } = require('../../base/own-time.js');
const { sinceMs } = require('../../base/since-ms.js');
const { schedule } = require('../../timers/timer-heap.js');
const { Code, DIAGNOSTICS } = require('../../protocol/diagnostics.gen.js');
const { identityOf } = require('../identity.js');
const { AheadOfTurn } = require('./ahead-of-turn.js');
const { contentOf } = require('./plain-codec.js');
const { JobCancels, LOOSE } = require('./job-cancels.js');
const { endOf } = require('./worker-end.js');
const { runLeft } = require('./run-left.js');
const { RunningJobs } = require('./running-jobs.js');
const { StartLimit } = require('./start-limit.js');
const { KnownEntries } = require('./known-entries.js');
const { Report, Start, isReport } = require('./reports.js');
const { Channel, Detail } = require('../../protocol/wire.gen.js');

// The limit of what Node does before realm-main.js, files of `execArgv` too.
const BOOT_MS = 30_000;
// The limit of `dispose` in a worker that leaves a pool that goes on.
const LEAVE_MS = 5000;
const STUCK_MS = 5000;

/**
 * A worker with a realm of Node's own, and the jobs that run in it: one, or
 * several that await. It gets no job before it is ready, so a job that ends while
 * the worker starts costs nothing. How it is made and spoken to is its line's:
 * ThreadLine, ProcessLine.
 */
class PoolWorker {
  jobsDone = 0;
  /** @type {AheadOfTurn} */
  ahead;
  /** `init` and the module's top level are over. */
  isReady = false;
  /** Node has reported that it runs. */
  isOnline = false;
  /** The worker has been asked to end and gets no other job. */
  leaving = false;
  /** It was given up, with its jobs. */
  isLost = false;
  /** It leaves after its jobs, and gets no other. */
  isDue = false;
  #owner;
  #line;
  #known;
  #running;
  #cancels;
  #leaveTimer;
  #startLimit;
  #goneTimer;
  #isGone = false;
  #isLate = false;
  #hasFailed = false;
  #carry;
  #hasInit;
  // Jobs that came before then have waited for the present attempt to start.
  #startedAt = hrtime();

  /**
   * @param {OwnedPool} owner see "what the workers say" there
   * @param {number} number of this worker in its pool
   * @param {object} options of the realm, with `worker`
   * @param {object} settings of the pool
   * @param {Function} Line the class of what is between the two, made of
   *   `(events, number, options, settings)`
   * @throws {unknown} why there is none
   */
  constructor(owner, number, options, settings, Line) {
    this.#owner = owner;
    this.number = number;
    this.place = options.worker.place;
    this.#known = new KnownEntries(settings.memoryLimitMb);
    this.#carry = settings.carry;
    this.#running = new RunningJobs(settings.concurrentJobsPerWorker);
    this.#hasInit = settings.init !== undefined;
    this.#line = new Line(this.#events(), number, options, settings);
    this.#cancels = new JobCancels(this, this.#line, this.#running);
    this.ahead = new AheadOfTurn(this.#line);
    this.#startLimit = new StartLimit(
      () => this.#line.state ?? this.#line.stateLater(),
      () => this.#startIsLate(),
    );
    this.#startLimit.begin(BOOT_MS, Start.Booting);
  }

  // The events of a line.
  #events() {
    return {
      online: () => this.#online(),
      // A job's own message to whoever started its worker.
      posted: (value) => {
        this.#owner.message(null, Channel.Emit, value, this.number);
      },
      report: (data) => this.#receive(data),
      lost: () => this.#lostMessage(),
      exited: () => this.#exited(),
    };
  }

  /**
   * REQUIRES: `isFree`, or `mayHaveAhead` and room there with `isAhead`
   *
   * @param {PoolJob} job
   * @param {object} parts of its message: `entry`, `remainingMs` (Infinity without
   *   a deadline), `runMs` (Infinity without a limit), `shared` of SharedParts
   * @param {boolean} isAhead see JobsAhead
   */
  send(job, { entry, remainingMs, runMs, shared }, isAhead) {
    const seq = this.#running.nextNumber();
    const { id } = entry;
    const known = this.#known.has(id);
    const forget = this.#known.use(entry, this.ahead.needs);
    const { value, buffers } = job.sent;
    let slot;
    if (isAhead) slot = this.ahead.offer(job, seq);
    else {
      this.begin(seq, job);
      this.#line.why = 0;
    }
    this.#line.send(
      {
        seq,
        id,
        entry: known ? undefined : entry,
        forget,
        input: value,
        remainingMs,
        runMs,
        mode: job.mode,
        shared,
        slot,
        aheadAt: isAhead ? hrtime() : undefined,
      },
      // Those of a job ahead are copied, because it may be taken back.
      isAhead ? undefined : buffers,
    );
  }

  /** The job runs here. */
  begin(seq, job) {
    job.sent = null;
    this.#running.begin(seq, job);
  }

  /** Whether it may be sent its next jobs, or its first ones while it starts. */
  get mayHaveAhead() {
    if (!this.#stays || this.ahead.room === 0) return false;
    // It may have to be ended, also if it was known to start when that one began.
    if (this.#running.isOneEnding) return false;
    return this.isStarting ? !this.#hasFailed : !this.hasRoom;
  }

  /** @returns {PoolJob} the one that it runs. REQUIRES: `load > 0` */
  get present() {
    return this.#running.oldest.job;
  }

  /** Reads what it has said, where that can be done at once. */
  drain() {
    this.#line.drain?.();
  }

  /** @returns {object} see identityOf */
  get identity() {
    const { threadId, pid } = this.#line;
    return identityOf(this.number, this.place, threadId, pid);
  }

  /** Whether it may take a job now. */
  get isFree() {
    // Until that one has answered, its worker may have to be ended.
    const { isOneOver } = this.#running;
    return this.isReady && this.hasRoom && this.#stays && !isOneOver;
  }

  // One that has gone may have said before that it has room.
  get #stays() {
    return !this.leaving && !this.isDue && !this.#isGone;
  }

  get hasRoom() {
    return this.room > 0;
  }

  /** @returns {number} how many more jobs it may run */
  get room() {
    return this.#running.room;
  }

  /** @returns {number} jobs that run here */
  get load() {
    return this.#running.size;
  }

  /** Whether it has nothing to do, and may take a job. */
  get isIdle() {
    return this.isFree && this.load === 0;
  }

  /** Whether it cannot run a job yet, but will. */
  get isStarting() {
    return !this.isReady && !this.leaving;
  }

  /** Notifies a running job; ends the worker if it goes on for too long. */
  cancel(job, why, graceMs) {
    const record = this.#running.of(job);
    // A listener to its exit has cancelled the job.
    if (this.#isGone || record === undefined) return;
    this.#owner.ahead.takeBackOf(this);
    // Its end is on its way.
    if (this.#running.isPast(record)) return;
    this.#cancels.cancel(record, why, graceMs);
  }

  /** @returns {object} the timer */
  killIn(ms) {
    return schedule(now() + ms, () => this.kill(), LOOSE);
  }

  /** @param {PoolJob | null} job null: to the worker */
  mail(job, channel, value) {
    const seq = job === null ? 0 : (this.#running.of(job)?.seq ?? -1);
    if (channel === Channel.Reason) this.#line.sendReason({ seq, value });
    else this.#line.send({ mail: seq, channel, value });
  }

  /** Whether it tells of no begin, because its owner can look: see `runLeft`. */
  get showsBegin() {
    return this.#line.ahead?.showsPresent === true;
  }

  /** @returns {number} milliseconds of the time of its run */
  runLeft(job) {
    return runLeft(this.#running.of(job), this.#line.ahead);
  }

  /** Answered by `figured` while it lives. */
  askFigures(id) {
    this.#line.send({ figures: id });
  }

  hear(hears) {
    this.#line.send({ hears });
  }

  listen(listens) {
    this.#line.send({ listens });
  }

  /**
   * Disposes of the worker's modules, then ends it; after its jobs, if it has some.
   *
   * @param {boolean} isLast the pool ends, and has a limit of its own
   */
  leave(isLast = false) {
    if (this.leaving || this.#isGone) return;
    this.#owner.ahead.takeBackOf(this);
    if (!isLast && this.load > 0) {
      this.isDue = true;
      return;
    }
    this.leaving = true;
    this.#line.send({ leave: true });
    if (!isLast) this.#leaveTimer = this.killIn(LEAVE_MS);
  }

  kill() {
    if (this.#isGone) return;
    // The worker may answer until then, but gets no other job.
    this.leaving = true;
    this.#owner.ahead.takeBackOf(this);
    this.#line.terminate();
    // One that waits in a system call does not end.
    this.#goneTimer ??= schedule(now() + STUCK_MS, () => this.#exited(), LOOSE);
  }

  hold(yes) {
    this.#line.hold(yes);
  }

  /** Whether the worker cannot run a job yet, or no more. */
  isRenewing() {
    return this.leaving || this.isDue || !this.isReady;
  }

  #startIsLate() {
    this.#isLate = true;
    this.kill();
  }

  #online() {
    if (this.isOnline) return;
    this.isOnline = true;
    this.#owner.workerStarted(this.identity);
  }

  #receive(data) {
    if (!isReport(data)) return;
    // Node may tell later that it runs.
    this.#online();
    const { kind } = data;
    if (kind === Report.Done) this.#done(data);
    else if (kind === Report.Message) this.#message(data);
    else if (kind === Report.Began) this.#began(data);
    else if (kind === Report.TookShared) this.#owner.tookShared();
    else if (kind === Report.Ready) this.#ready();
    else if (kind === Report.Starts) this.#starts(data);
    else if (kind === Report.Failed) this.#failed(data);
    else if (kind === Report.Figures) {
      this.#owner.figured(this, data.id, data.figures);
    } else this.#lostMessage();
  }

  #starts({ at, state, timeoutMs }) {
    this.#startedAt = at;
    this.#startLimit.begin(timeoutMs, state);
  }

  #ready() {
    if (this.isReady) return;
    this.isReady = true;
    this.#startLimit.end();
    this.#owner.ahead.freed(this);
    this.#owner.ready(this);
  }

  #failed(data) {
    if (this.isReady || this.#hasFailed) return;
    // A module that has failed would always fail in this worker.
    this.#hasFailed = true;
    this.leave();
    const { at, status, detail } = data;
    const cause = contentOf(data, this.#carry);
    this.#owner.failWaiting(status, detail, cause, at);
  }

  #message(data) {
    const { seq, channel } = data;
    const job = seq === 0 ? null : this.#running.numbered(seq)?.job;
    // It may be over on this side.
    if (job === undefined) return;
    const content = contentOf(data, this.#carry);
    this.#owner.message(job, channel, content, this.number);
  }

  // Its own clock counts, because the owner's thread may have been busy.
  #began({ seq, at }) {
    const record = this.#running.numbered(seq);
    if (record === undefined) return;
    record.isToldBegun = true;
    this.#owner.began(record.job, sinceMs(at));
  }

  #done(data) {
    const { seq, status, detail, spoilt } = data;
    const record = this.#running.numbered(seq);
    if (record === undefined) return;
    const { job } = record;
    this.#running.end(record);
    this.jobsDone += 1;
    this.ahead.jobEnded();
    this.#owner.ahead.freed(this);
    if (spoilt === true || this.isDue) this.leave();
    const content = contentOf(data, this.#carry);
    this.#owner.settled(this, job, status, detail, content);
  }

  // It may have been the end of the job, or the job itself.
  #lostMessage() {
    this.kill();
    const status = DIAGNOSTICS[Code.SerializationFailed].id;
    for (const job of this.#running.takeAll()) {
      this.#owner.settled(this, job, status, Detail.None, undefined);
    }
  }

  #exited() {
    if (this.#isGone) return;
    this.#isGone = true;
    this.hold(false);
    // The messages that it has sent come first.
    this.#line.close();
    this.#owner.ahead.takeBackOf(this);
    const jobs = this.#running.takeAll();
    this.#startLimit.end();
    for (const timer of [this.#leaveTimer, this.#goneTimer]) timer?.cancel();
    const end = this.#line.end();
    const start = { isLate: this.#isLate, hasInit: this.#hasInit };
    const { status, detail, value } = endOf(end, start);
    this.#owner.exited(this);
    for (const job of jobs) {
      this.#owner.settled(null, job, status, detail, value);
    }
    if (jobs.length > 0) return;
    // The time of its end is unknown: fails the jobs that waited all the time.
    const wasAsked = this.leaving && !this.#isLate;
    if (this.isReady || this.#hasFailed || wasAsked) return;
    // Code of its own would end the next worker, too.
    const isOwn = end.state >= Start.Runs || end.isOverLimit;
    const fail = isOwn ? 'failWaiting' : 'bootFailed';
    // Ctrl-C has come before it was ignored there.
    const most = end.isInterrupted ? 0 : undefined;
    this.#owner[fail](status, detail, value, this.#startedAt, most);
    if (most === 0) this.#owner.replaceWorker();
  }
}

module.exports = { PoolWorker };
