'use strict';

const {
  AbandonResult,
  JobMode,
  PayloadKind,
  RingLayout,
  Small,
  WorkerEventKind,
} = require('../../lib/protocol/wire.gen.js');

const {
  BodyAt,
  BodySlots,
  EntryAt,
  KindAt,
  LapBit,
  LimitedAt,
  MostUrgent,
  PriorityAt,
  RowBytes,
  Rows,
  SignalledAt,
} = RingLayout;
const BODIES_AT = Rows * RowBytes;
const LIMITS_AT = BODIES_AT + Rows * BodySlots * 8 + Rows * 8;
const READ = (LIMITS_AT + Rows * 8) / 4;
const ATTEND = READ + 16;
const DEFAULT_PRIORITY = 4;

/** One pool of the fake addon: its ring, its queue and its workers. */
class FakePool {
  ring = new ArrayBuffer((ATTEND + 16) * 4);
  queued = [];
  workers = [];
  isClosed = false;
  isPaused = false;
  /** The system has no thread to give. */
  hasNoThread = false;
  #addon;
  #words = new Int32Array(this.ring);
  #doubles = new Float64Array(this.ring);
  #bytes = new Uint8Array(this.ring);
  #arrivals = 0;
  #lastWorker = 0;

  constructor(addon, id, options) {
    this.#addon = addon;
    this.id = id;
    this.options = options;
    this.max = options.workers;
    this.look(true);
    if (options.starts) this.startFor(1);
  }

  get living() {
    return this.workers.length;
  }

  get running() {
    return this.workers.filter(({ job }) => job !== null).map((w) => w.job);
  }

  /** Whether the owner has to call after it has written into the ring. */
  look(wantsKick) {
    this.#words[ATTEND] = wantsKick ? 1 : 0;
  }

  readRing() {
    const words = this.#words;
    for (;;) {
      const read = words[READ];
      const row = read & (Rows - 1);
      const written = words[row * 4 + 3];
      if ((written & 0xff) !== (((read >>> LapBit) + 1) & 0xff)) return;
      words[READ] = read + 1;
      this.#readRow(row, words[row * 4 + 2], written >>> EntryAt);
    }
  }

  #readRow(row, what, entry) {
    const slot = what & ((1 << KindAt) - 1);
    const kind = (what >>> KindAt) & 7;
    const isLimited = (what >>> LimitedAt) & 1;
    const hasBody = (what >>> BodyAt) & 1;
    const number = this.#doubles[row * 2];
    const e = hasBody
      ? this.#body(row, kind, number)
      : { kind, number, slots: new Float64Array(0), slotCount: 0 };
    const limit = LIMITS_AT / 8 + row;
    this.#addon.fromRing(this, slot, entry, {
      e,
      limitAt: isLimited ? this.#doubles[limit] : Infinity,
      priority: ((what >>> PriorityAt) & 3) + MostUrgent,
      mode: (what >>> SignalledAt) & 1 ? JobMode.Signalled : 0,
      runMs: Infinity,
      home: 0,
    });
  }

  #body(row, kind, size) {
    const slotCount = size % Small.TextUnit;
    const length = (size - slotCount) / Small.TextUnit;
    const at = BODIES_AT / 8 + row * BodySlots;
    const slots = this.#doubles.slice(at, at + slotCount);
    const from = (at + slotCount) * 8;
    const bytes = this.#bytes.slice(from, from + length);
    const isText = length > 0 || kind === PayloadKind.String;
    const text = isText ? String.fromCharCode(...bytes) : undefined;
    return { kind, number: 0, slots, slotCount, text };
  }

  queue(job) {
    this.#arrivals += 1;
    job.arrival = this.#arrivals;
    job.mail = [];
    this.queued.push(job);
    this.#addon.onArrival?.(job);
  }

  /** A queued job leaves. */
  take(job) {
    const at = this.queued.indexOf(job);
    if (at < 0) this.#addon.problem('a job that is not queued was taken');
    this.queued.splice(at, 1);
  }

  /** @returns {boolean} whether there is a worker, or one could be started */
  startFor(count) {
    const wanted = Math.min(this.max, this.running.length + count);
    while (this.staying < wanted) {
      if (this.hasNoThread) return this.staying > 0;
      this.#start();
    }
    return this.living > 0 || count === 0;
  }

  get staying() {
    return this.workers.filter(({ isLeaving }) => !isLeaving).length;
  }

  #start() {
    this.#lastWorker += 1;
    const worker = { number: this.#lastWorker, job: null, isLeaving: false };
    this.workers.push(worker);
    this.#addon.post(WorkerEventKind.Started, this, -worker.number);
  }

  prestart(count) {
    const wanted = Math.min(count, this.max);
    while (this.staying < wanted) {
      if (this.hasNoThread) return false;
      this.#start();
    }
    return true;
  }

  resize(workers) {
    this.max = workers;
    this.trim(workers);
    this.startFor(this.queued.length);
  }

  /** Surplus workers leave when they are free. */
  trim(keep) {
    let left = this.staying;
    for (const worker of this.workers) {
      if (left <= keep) return;
      if (worker.isLeaving || worker.job !== null) continue;
      worker.isLeaving = true;
      left -= 1;
    }
  }

  pause(isPaused) {
    this.isPaused = isPaused;
    if (!isPaused) this.startFor(this.queued.length);
  }

  close() {
    this.isClosed = true;
    for (const worker of this.workers) worker.isLeaving = true;
  }

  terminate() {
    for (const job of this.running) job.isTold = true;
    for (const worker of this.workers) worker.isLeaving = true;
  }

  counts() {
    return [this.queued.length, this.running.length, this.living];
  }

  numbers() {
    return this.workers.map(({ number }) => number);
  }

  abandon(job) {
    if (job?.state !== 'running') return AbandonResult.Over;
    if (job.abandonLater > 0) {
      job.abandonLater -= 1;
      return AbandonResult.Later;
    }
    this.giveUp(job.worker);
    return AbandonResult.Abandoned;
  }

  giveUp(number) {
    const worker = this.workers.find((each) => each.number === number);
    if (worker.job !== null) worker.job.state = 'lost';
    this.workers.splice(this.workers.indexOf(worker), 1);
    this.startFor(this.queued.length);
  }

  // --- steps that a world may take ------------------------------------------

  /** @returns {object | undefined} the next job, if a worker is free */
  get next() {
    if (this.isPaused) return undefined;
    this.readRing();
    const isFree = this.workers.some((w) => w.job === null && !w.isLeaving);
    if (!isFree || this.running.length >= this.max) return undefined;
    const order = (a, b) => a.priority - b.priority || a.arrival - b.arrival;
    return this.queued.toSorted(order)[0];
  }

  /** A free worker takes the next job. */
  start(job) {
    const free = (w) => w.job === null && !w.isLeaving;
    const worker = this.workers.find(free);
    this.take(job);
    Object.assign(job, { state: 'running', worker: worker.number });
    job.runEnds = this.#addon.clock.at + job.runMs;
    worker.job = job;
  }

  /** The job of a worker, or one that was lost, ends. */
  finish(job, status, detail = 0, text = undefined) {
    const worker = this.workers.find((each) => each.job === job);
    if (worker !== undefined) worker.job = null;
    this.#addon.end(job, status, detail, text);
    if (worker !== undefined && this.staying > this.max) {
      worker.isLeaving = true;
    }
  }

  /** A queued job whose time is over does not start. */
  expire(job, status) {
    this.take(job);
    this.#addon.end(job, status, 0, undefined);
  }

  /** A worker that leaves is gone, or any, when its job took it down. */
  exit(worker) {
    this.workers.splice(this.workers.indexOf(worker), 1);
    this.#addon.post(WorkerEventKind.Exited, this, -worker.number);
    this.look(true);
    this.readRing();
    if (!this.isClosed) this.startFor(this.queued.length);
  }
}

module.exports = { DEFAULT_PRIORITY, FakePool };
