'use strict';

const { Code, PoolWorld } = require('./pool-world.js');
const { addon, clock, codes, threads } = require('./load.js');
const { Report, Start } = require('../../lib/executors/owned/reports.js');
const { Channel } = require('../../lib/protocol/wire.gen.js');

const idOf = (code) => codes.DIAGNOSTICS[code].id;
const ENDS = [Code.JobFailed, Code.ResourceLimit, Code.JobFailed];
const BOOT_MS = 30_000;
const UNRESPONSIVE_MS = 2000;

/** A WorkerPool over threads that are not there. */
class ThreadWorld extends PoolWorld {
  #lastOfKey = new Map();
  #asked = 0;

  setUp() {
    threads.workers.length = threads.ports.length = 0;
    threads.refuse = () => {
      const refuses = !this.isEnding && this.random.chance(2);
      if (refuses) this.hasLackedThreads = true;
      return refuses;
    };
    if (this.random.chance(70)) this.host = { ask: (n) => this.#answer(n) };
    this.create('thread');
  }

  /** The host function, on the owner's side. */
  #answer(n) {
    this.note(`the owner answers ${n}`);
    this.foreign('host', true);
    return n;
  }

  get #alive() {
    return threads.workers.filter(({ hasExited }) => !hasExited);
  }

  // --- steps of the threads -------------------------------------------------

  #boot(worker) {
    this.note('a thread is ready');
    worker.isOnline = true;
    worker.isReady = true;
    worker.flags[2] = Start.Ready;
    worker.emit('online');
    worker.port.postMessage({ kind: Report.Ready });
  }

  /** The thread reads one message of its owner's. */
  #read(worker) {
    const data = worker.port.inbox.shift();
    if (data.aheadAt !== undefined) this.#keep(worker, data);
    else if (data.seq !== undefined) this.#begin(worker, data);
    else if (data.leave === true) worker.isLeaving = true;
    else this.#tell(worker, data);
  }

  #keep(worker, data) {
    worker.ahead.hasRead();
    worker.waiting = worker.waiting.filter(({ slot }) => slot !== data.slot);
    worker.waiting.push(data);
    worker.isHeld = false;
  }

  #tell(worker, { cancel, channel, mail, over, value }) {
    const { jobs } = worker;
    const job = jobs.find(({ seq }) => [cancel, mail, over].includes(seq));
    if (job === undefined) return;
    job.isTold ||= mail === undefined;
    if (over !== undefined) this.#finish(worker, job, true);
    else if (channel === Channel.Host) this.#hear(job, value);
  }

  // A job that has called a host function waits for its answer.
  #ask(worker, job) {
    const { seq, call } = job;
    this.#asked += 1;
    job.asks = this.#asked;
    this.note(`${call.n} asks ${this.#asked}`);
    const value = [this.#asked, 'ask', [this.#asked]];
    const channel = Channel.Host;
    worker.port.postMessage({ kind: Report.Message, seq, channel, value });
  }

  #hear(job, [asked]) {
    if (asked !== job.asks) this.problem(`${job.call.n} hears of ${asked}`);
    job.asks = 0;
  }

  /** Whether the job may end now. */
  #mayEnd({ asks, isTold }) {
    return asks === 0 || isTold;
  }

  /** Whether the thread may begin a job that came ahead of its turn. */
  #mayTake({ isHeld, isSpoilt, jobs, most, taken, waiting }) {
    const hasRoom = jobs.length + taken.length < most;
    return waiting.length > 0 && hasRoom && !isHeld && !isSpoilt;
  }

  // Its owner may do something before the job begins.
  #take(worker) {
    const [data] = worker.waiting;
    const { aheadAt, input, remainingMs, seq, slot } = data;
    worker.isHeld = true;
    if (Number(aheadAt) / 1e6 + remainingMs <= clock.at) return;
    const at = BigInt(Math.round(clock.at * 1e6));
    worker.waiting.shift();
    if (!worker.ahead.begin(slot, seq, at)) return;
    worker.isHeld = false;
    worker.taken.push(data);
    const { n, outcome } = this.#callOf(input);
    this.note(`a thread takes ${n}`);
    if (outcome !== null) this.problem(`call ${n} begins after its end`);
    if (this.isPaused && this.stops === 0) {
      this.problem(`call ${n} begins in a paused pool`);
    }
  }

  #beginTaken(worker) {
    this.#begin(worker, worker.taken.shift());
  }

  #callOf(input) {
    const n =
      typeof input === 'string' ? input : (input?.n ?? input[0] ?? input);
    return this.calls[Number.parseInt(n, 10) - 1];
  }

  #begin(worker, { seq, input, runMs, slot }) {
    worker.isHeld = false;
    if (worker.jobs.length + worker.taken.length >= worker.most) {
      this.problem('a thread has too many jobs');
    }
    const call = this.#callOf(input);
    worker.jobs.push({ seq, call, isTold: false, asks: 0 });
    this.note(`a thread begins ${call.n}`);
    call.runs += 1;
    if (call.runs > 1) this.problem(`call ${call.n} runs twice`);
    this.#checkOrder(call);
    if (runMs === Infinity) return;
    call.lastStart = clock.at;
    const at = BigInt(Math.round(clock.at * 1e6));
    if (worker.most === 1) {
      worker.ahead.presentBegins(seq, at);
      if (slot === undefined) call.startedAt = clock.at;
    } else worker.port.postMessage({ kind: Report.Began, seq, at });
  }

  #checkOrder({ key, n, wasEntered }) {
    if (key === undefined || wasEntered || this.policy.maxPerKey > 1) return;
    const last = this.#lastOfKey.get(key);
    if (n < last) this.problem(`call ${n} of key ${key} comes after ${last}`);
    this.#lastOfKey.set(key, n);
  }

  /** Whether the call shares a thread that was ended, but has not exited. */
  isLost(call) {
    return threads.workers.some(({ isTerminated, jobs, most, port, taken }) => {
      const sent = port.inbox.filter(({ seq }) => seq !== undefined);
      const calls = [...sent, ...taken].map(({ input }) => this.#callOf(input));
      for (const job of jobs) calls.push(job.call);
      return isTerminated && most > 1 && calls.includes(call);
    });
  }

  #finish(worker, job, isOver = false) {
    const { random } = this;
    const { seq, call, isTold } = job;
    worker.jobs.splice(worker.jobs.indexOf(job), 1);
    call.startedAt = Infinity;
    let status = 0;
    if (isOver || (isTold && random.chance(70))) {
      status = idOf(Code.JobCancelled);
      call.codes.add(Code.JobCancelled);
    } else if (random.chance(60)) {
      call.value = `r${call.n}`;
    } else {
      const code = random.of(ENDS);
      call.codes.add(code);
      status = idOf(code);
    }
    this.note(`${call.n} ${status === 0 ? 'returns' : 'fails'}`);
    const value = status === 0 ? call.value : undefined;
    const spoilt = random.chance(10);
    worker.isSpoilt ||= spoilt;
    const end = { kind: Report.Done, seq, status, detail: 0, value, spoilt };
    worker.port.postMessage(end);
  }

  #emit(worker, { seq, call }) {
    call.messages += 1;
    const value = `m${call.n}:${call.messages}`;
    const channel = Channel.Emit;
    worker.port.postMessage({ kind: Report.Message, seq, channel, value });
  }

  #exit(worker) {
    this.note('a thread has gone');
    worker.hasExited = true;
    // Its owner ends one that runs a single job only with that job.
    const mayCrash = !worker.isTerminated || worker.most > 1;
    for (const { call } of worker.jobs.splice(0)) {
      if (mayCrash) call.codes.add(Code.Crashed);
      call.startedAt = Infinity;
    }
    // Jobs that it was sent, and has not begun, end with it, but for one that it
    // has ahead.
    const sent = worker.port.inbox.filter(
      ({ aheadAt, seq }) => seq !== undefined && aheadAt === undefined,
    );
    sent.push(...worker.taken);
    for (const { input } of sent) {
      if (mayCrash) this.#callOf(input).codes.add(Code.Crashed);
    }
    // Those that wait for its start fail with it.
    if (!worker.isReady) this.hasFailedStart = true;
    worker.emit('exit', 1);
  }

  #receive(port) {
    this.note('the owner hears');
    const [{ kind, seq, at }] = port.inbox;
    const { jobs, most } = threads.workers.find(
      (each) => each.port === port.other,
    ) ?? { jobs: [], most: 0 };
    // From now on the owner knows of the run's limit.
    const job = jobs.find((each) => each.seq === seq);
    if (kind === Report.Began && job !== undefined) {
      job.call.startedAt = Number(at) / 1e6;
    }
    port.receive();
    // It has learned which job has begun ahead of its turn.
    if (kind === Report.Done && most === 1) {
      for (const { call } of jobs) call.startedAt = call.lastStart;
    }
  }

  get #news() {
    return threads.ports.filter(
      ({ inbox, isClosed }) => inbox.length > 0 && !isClosed,
    );
  }

  actions() {
    const actions = [
      [1, () => this.resize()],
      [1, () => this.pause()],
      [1, () => this.refs()],
    ];
    for (const port of this.#news) {
      actions.push([10, () => this.#receive(port)]);
    }
    for (const worker of this.#alive) {
      if (clock.at > BOOT_MS) this.isLate = true;
      if (worker.isTerminated || this.#isOver(worker)) {
        actions.push([8, () => this.#exit(worker)]);
        if (worker.isTerminated) continue;
      }
      if (!worker.isReady) {
        actions.push([20, () => this.#boot(worker)]);
        continue;
      }
      if (worker.taken.length > 0) {
        actions.push([20, () => this.#beginTaken(worker)]);
        continue;
      }
      if (worker.port.inbox.length > 0) {
        actions.push([20, () => this.#read(worker)]);
      }
      if (this.#mayTake(worker)) {
        actions.push([20, () => this.#take(worker)]);
      }
      for (const job of worker.jobs) this.#addOf(worker, job, actions);
      // Its last job may have left code that ends it, of which Node tells outside.
      if (worker.jobs.length === 0 && this.isInside) continue;
      actions.push([0.5, () => this.#exit(worker)]);
    }
    return actions;
  }

  #isOver({ isLeaving, jobs }) {
    return isLeaving && jobs.length === 0;
  }

  // Steps of a job that runs.
  #addOf(worker, job, actions) {
    if (this.#mayEnd(job)) actions.push([6, () => this.#finish(worker, job)]);
    if (this.host !== undefined && job.asks === 0) {
      actions.push([3, () => this.#ask(worker, job)]);
    }
    if (job.call.hears) actions.push([6, () => this.#emit(worker, job)]);
  }

  // --- the end --------------------------------------------------------------

  finishOne() {
    const [port] = this.#news;
    if (port !== undefined) {
      this.#receive(port);
      return true;
    }
    for (const worker of this.#alive) {
      const job = worker.jobs.find((each) => !this.#isStuck(each));
      if (worker.isTerminated || this.#isOver(worker)) this.#exit(worker);
      else if (!worker.isReady) this.#boot(worker);
      else if (worker.taken.length > 0) this.#beginTaken(worker);
      else if (worker.port.inbox.length > 0) this.#read(worker);
      else if (job !== undefined) this.#finish(worker, job);
      else continue;
      return true;
    }
    return false;
  }

  // Some that were told to end go on, until their threads are given up.
  #isStuck(job) {
    if (!this.#mayEnd(job)) return true;
    job.isStuck ??= this.random.chance(15);
    return job.isStuck && job.isTold;
  }

  isGone() {
    if (!this.isOpen) return true;
    // Those that were given up are gone as well.
    const isGone = this.#alive.every(({ isTerminated }) => !isTerminated);
    return isGone && this.admission.executor.workers === 0;
  }

  get isOpen() {
    return this.admission.executor.held !== undefined;
  }

  runningCalls() {
    // One that goes on for long after its end has lost its thread.
    return this.#alive
      .flatMap(({ jobs }) => jobs.map(({ call }) => call))
      .filter(({ settledAt }) => clock.at < settledAt + UNRESPONSIVE_MS);
  }

  held() {
    return this.isOpen ? this.admission.executor.held.size : 0;
  }

  checkMore() {
    super.checkMore();
    if (!this.isOpen) return;
    const [queued, running] = this.admission.executor.counts();
    const isStill = this.#alive.length === 0 && this.#news.length === 0;
    const all = this.admission.executor.living();
    const jobsAhead = all.flatMap(({ ahead }) => ahead.jobs);
    // Those that their keys hold back are not queued.
    const isAhead = jobsAhead.some(({ slot }) => slot >= 0);
    for (const { slot, lane, worker } of jobsAhead) {
      const follows = slot >= 0 || worker.present.lane === lane;
      if (!follows) this.problem('a job is ahead after one of another key');
    }
    if (
      all.some((each) => each.isReady && each.hasRoom && each.ahead.size > 0)
    ) {
      this.problem('a job is ahead of a thread that has room');
    }
    if (isAhead && all.some(({ isIdle }) => isIdle) && !this.mayBeOver) {
      this.problem('a job is ahead, and a thread is free');
    }
    if (queued + running !== this.held()) {
      this.problem(`${queued} queued, ${running} running of ${this.held()}`);
    }
    if (isStill && queued > 0 && !this.isPaused) {
      this.problem(`${queued} jobs wait, and there is no thread`);
    }
  }

  checkGone() {
    const { executor } = this.admission;
    if (!this.isOpen) return;
    if (executor.held.size > 0) this.problem('the pool keeps a job');
    for (const worker of threads.workers) {
      if (worker.isRef && !worker.hasExited) {
        this.problem('a thread is kept alive');
      }
    }
    for (const port of threads.ports) {
      if (!port.isClosed) this.problem('a port stays open');
    }
    if (addon.isActive) this.problem('the process is kept alive');
  }
}

module.exports = { ThreadWorld };
