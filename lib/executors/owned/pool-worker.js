'use strict';

const { hrtime, now } = require('../../base/own-time.js');
const { schedule } = require('../../timers/timer-heap.js');
const { Code, DIAGNOSTICS } = require('../../protocol/diagnostics.gen.js');
const { identityOf } = require('../identity.js');
const { contentOf } = require('./plain-codec.js');
const { endOf } = require('./worker-end.js');
const { StartLimit } = require('./start-limit.js');
const { KnownEntries } = require('./known-entries.js');
const { Report, Start, isReport } = require('./reports.js');
const { Channel, Detail } = require('../../protocol/wire.gen.js');

// The limit of what Node does before realm-main.js, files of `execArgv` too.
const BOOT_MS = 30_000;
// The limit of `dispose` in a worker that leaves a pool that goes on.
const LEAVE_MS = 5000;
const STUCK_MS = 5000;
// The time in which code of several jobs must yield after one of them is over.
const PATIENCE_MS = 1000;
const LOOSE = { __proto__: null, ref: false };

const idOf = (code) => DIAGNOSTICS[code].id;

/**
 * A worker with a realm of Node's own, and the jobs that run in it: one, or
 * several that await. It gets no job before it is ready, so a job that ends while
 * the worker starts costs nothing. How it is made and spoken to is its line's:
 * ThreadLine, ProcessLine.
 */
class PoolWorker {
  jobsDone = 0;
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
  #seq = 0;
  // `{ job, seq, timer, isOver }` by the job's number here.
  #running = new Map();
  #mostJobs;
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
   * @param {object} owner `settled(worker, job, status, detail, value)`,
   *   `began(job, sinceMs)` of one with a limit of its run, `ready(worker)`,
   *   `failWaiting(status, detail, value, at)` jobs that came before then,
   *   `tookShared()`, `figured(worker, id, figures)`,
   *   `message(job, channel, value, number)`, `workerStarted(identity)`,
   *   `exited(worker)`
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
    this.#mostJobs = settings.concurrentJobsPerWorker;
    this.#hasInit = settings.init !== undefined;
    this.#line = new Line(this.#events(), number, options, settings);
    this.#startLimit = new StartLimit(
      () => this.#line.state ?? this.#line.stateLater(),
      () => this.#startIsLate(),
    );
    this.#startLimit.begin(BOOT_MS, Start.Booting);
  }

  // The events of a line.
  #events() {
    return {
      online: () => {
        this.isOnline = true;
        this.#owner.workerStarted(this.identity);
      },
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
   * REQUIRES: `isFree`
   *
   * @param {PoolJob} job
   * @param {object} entry `{ id, kind, text, name }`
   * @param {number} remainingMs Infinity without a deadline
   * @param {number} runMs how long it may take, Infinity for no limit
   * @param {object} [shared] from SharedParts
   */
  run(job, entry, remainingMs, runMs, shared) {
    // A 32-bit number for ever.
    this.#seq = this.#seq === 2 ** 30 ? 1 : this.#seq + 1;
    const seq = this.#seq;
    this.#running.set(seq, { job, seq, timer: undefined, isOver: false });
    this.#line.why = 0;
    const { id } = entry;
    const known = this.#known.has(id);
    const forget = this.#known.use(entry);
    const { value, buffers } = job.sent;
    job.sent = null;
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
      },
      buffers,
    );
  }

  /** @returns {object} see identityOf */
  get identity() {
    const { threadId, pid } = this.#line;
    return identityOf(this.number, this.place, threadId, pid);
  }

  /** Whether it may take a job now. */
  get isFree() {
    const hasRoom = this.#running.size < this.#mostJobs;
    const stays = !this.leaving && !this.isDue;
    return this.isReady && hasRoom && stays && !this.#isEndingAlone;
  }

  // Until it has answered, its code may not yield, and it may have to be ended.
  get #isEndingAlone() {
    for (const { isOver } of this.#running.values()) if (isOver) return true;
    return false;
  }

  /** @returns {number} jobs that run here */
  get load() {
    return this.#running.size;
  }

  /** Whether it has nothing to do, and may take a job. */
  get isIdle() {
    return this.isFree && this.load === 0;
  }

  #recordOf(job) {
    for (const record of this.#running.values()) {
      if (record.job === job) return record;
    }
    return undefined;
  }

  /** Whether it cannot run a job yet, but will. */
  get isStarting() {
    return !this.isReady && !this.leaving;
  }

  /** Notifies a running job; ends the worker if it goes on for too long. */
  cancel(job, why, graceMs) {
    const record = this.#recordOf(job);
    // A listener to its exit has cancelled the job.
    if (this.#isGone || record === undefined) return;
    const { seq, timer } = record;
    timer?.cancel();
    if (this.#mostJobs > 1) {
      this.#line.send({ cancel: seq, why });
      // The job itself keeps the process alive, or nothing does.
      const end = () => this.#endAlone(record);
      record.isOver = graceMs === 0;
      record.timer = schedule(now() + graceMs, end, LOOSE);
      return;
    }
    this.#line.why = why;
    if (graceMs === 0) {
      this.kill();
      return;
    }
    this.#line.send({ cancel: seq, why });
    record.timer = this.#killIn(graceMs);
  }

  // The realm answers with the job's end, unless code in it does not yield.
  #endAlone(record) {
    if (!this.#running.has(record.seq)) return;
    record.isOver = true;
    this.#line.send({ over: record.seq });
    record.timer = this.#killIn(PATIENCE_MS);
  }

  #killIn(ms) {
    return schedule(now() + ms, () => this.kill(), LOOSE);
  }

  /** @param {PoolJob | null} job null: to the worker */
  mail(job, channel, value) {
    const seq = job === null ? 0 : (this.#recordOf(job)?.seq ?? -1);
    if (channel === Channel.Reason) this.#line.sendReason({ seq, value });
    else this.#line.send({ mail: seq, channel, value });
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
    if (!isLast && this.load > 0) {
      this.isDue = true;
      return;
    }
    this.leaving = true;
    this.#line.send({ leave: true });
    if (!isLast) this.#leaveTimer = this.#killIn(LEAVE_MS);
  }

  kill() {
    if (this.#isGone) return;
    // The worker may answer until then, but gets no other job.
    this.leaving = true;
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

  #receive(data) {
    if (!isReport(data)) return;
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
    const job = seq === 0 ? null : this.#running.get(seq)?.job;
    // It may be over on this side.
    if (job === undefined) return;
    const content = contentOf(data, this.#carry);
    this.#owner.message(job, channel, content, this.number);
  }

  // Its own clock counts, because the owner's thread may have been busy.
  #began({ seq, at }) {
    const record = this.#running.get(seq);
    if (record === undefined) return;
    this.#owner.began(record.job, Number(hrtime() - at) / 1e6);
  }

  #done(data) {
    const { seq, status, detail, spoilt } = data;
    const record = this.#running.get(seq);
    if (record === undefined) return;
    const { job, timer } = record;
    this.#running.delete(seq);
    this.jobsDone += 1;
    timer?.cancel();
    if (spoilt === true || this.isDue) this.leave();
    const content = contentOf(data, this.#carry);
    this.#owner.settled(this, job, status, detail, content);
  }

  // It may have been the end of the job, or the job itself.
  #lostMessage() {
    this.kill();
    const status = idOf(Code.SerializationFailed);
    for (const job of this.#takeJobs()) {
      this.#owner.settled(this, job, status, Detail.None, undefined);
    }
  }

  #takeJobs() {
    const records = [...this.#running.values()];
    this.#running.clear();
    for (const { timer } of records) timer?.cancel();
    return records.map(({ job }) => job);
  }

  #exited() {
    if (this.#isGone) return;
    this.#isGone = true;
    this.hold(false);
    // The messages that it has sent come first.
    this.#line.close();
    const jobs = this.#takeJobs();
    this.#startLimit.end();
    for (const timer of [this.#leaveTimer, this.#goneTimer]) timer?.cancel();
    const { status, detail, value } = endOf(this.#line.end(), {
      isLate: this.#isLate,
      hasInit: this.#hasInit,
    });
    this.#owner.exited(this);
    for (const job of jobs) {
      this.#owner.settled(null, job, status, detail, value);
    }
    if (jobs.length > 0) return;
    // The time of its end is unknown: fails the jobs that waited all the time.
    if (!this.isReady && !this.#hasFailed && !this.#wasAsked) {
      this.#owner.failWaiting(status, detail, value, this.#startedAt);
    }
  }

  // The worker was to end, and not because its start took too long.
  get #wasAsked() {
    return this.leaving && !this.#isLate;
  }
}

module.exports = { PoolWorker };
