'use strict';
// The addon's calls (binding/*.cc) over pools that run nothing: a world decides
// when a worker takes a job, how the job ends, and when the owner hears of it.

const { FakePool } = require('./fake-pool.js');
const { SubmitArgs } = require('../../src/base/protocol.json');
const {
  Delivery,
  Event,
  OwnerWord,
  PayloadKind,
  Removal,
  Row,
  Sent,
  SubmitAnswer,
  WorkerEventKind,
} = require('../../lib/protocol/wire.gen.js');

const { Rows: BATCH, RowSlots: ROW, TimesSlots: TIMES } = Delivery;
const WORDS = BATCH * ROW;
const ARGS = SubmitArgs.values;
const FIRST_SLOT = 2032;
const BLOCK = 1024;

class FakeAddon {
  header = new Float64Array(WORDS + OwnerWord.Count);
  scratch = new Float64Array(1024);
  times = new Float64Array(BATCH * TIMES);
  /** The arguments of the next submission. */
  args = new Float64Array(ARGS.length);
  pools = new Map();
  /** Jobs by slot: queued, running, ended, or lost with their threads. */
  jobs = new Map();
  entries = new Map();
  /** Reports of workers to the owner, besides ends. */
  events = [];
  /** Ended jobs, in the order of their ends. */
  ended = [];
  /** Events that must never happen; the world reads them after each step. */
  problems = [];
  /** Decides how many of the ended jobs a batch has. */
  random = null;
  #slots = new Set();
  #deliver = null;
  #lastPool = 0;
  #lastEntry = 0;
  #shapes = [];

  constructor(clock) {
    this.clock = clock;
    this.native = this.#native();
  }

  problem(text) {
    this.problems.push(text);
  }

  /** The words beside the rows: whether the process waits for the pools. */
  get isActive() {
    return this.header[WORDS + OwnerWord.Active] !== 0;
  }

  get hasNews() {
    return this.events.length > 0 || this.ended.length > 0;
  }

  /** One call of the owner, which takes events, or a batch of ends. */
  deliver() {
    this.header[WORDS + OwnerWord.Delivering] = 1;
    try {
      this.#deliver();
    } finally {
      this.header[WORDS + OwnerWord.Delivering] = 0;
    }
  }

  post(kind, pool, target, more = {}) {
    const event = [kind, pool.id, target, 0, PayloadKind.Undefined, 0];
    event[Event.Channel] = more.channel ?? 0;
    event[Event.Number] = more.number ?? 0;
    event[Event.PayloadKind] = more.kind ?? PayloadKind.Undefined;
    event[Event.Text] = more.text;
    event[Event.More] = undefined;
    this.events.push(event);
  }

  end(job, status, detail, text) {
    Object.assign(job, { state: 'ended', status, detail, text });
    this.ended.push(job);
  }

  #take(texts) {
    if (this.events.length > 0) return -1;
    const most = Math.min(BATCH, this.ended.length);
    const count = most === 0 ? 0 : 1 + this.random.below(most);
    let common = '';
    for (let row = 0; row < count; row += 1) {
      const job = this.ended.shift();
      this.jobs.delete(job.slot);
      const at = row * ROW;
      const { header, times } = this;
      header[at + Row.Slot] = job.slot;
      header[at + Row.Status] = job.status;
      header[at + Row.Detail] = job.detail;
      header[at + Row.Kind] = PayloadKind.Undefined;
      header[at + Row.TextLength] = -1;
      times.set([1, 2, -1, -1, -1, job.worker ?? -1], row * TIMES);
      if (job.text === undefined) continue;
      header[at + Row.Kind] = PayloadKind.String;
      if (this.random.chance(50)) {
        texts[row] = job.text;
      } else {
        header[at + Row.TextAt] = common.length;
        header[at + Row.TextLength] = job.text.length;
        common += job.text;
      }
    }
    if (common !== '') texts[BATCH] = common;
    return count;
  }

  #makeSlot(slot) {
    const from =
      slot < FIRST_SLOT ? slot : slot - ((slot - FIRST_SLOT) % BLOCK);
    this.#slots.add(from);
  }

  #hold(pool, slot, entry, rest) {
    if (this.jobs.has(slot)) this.problem(`slot ${slot} is taken twice`);
    if (!this.entries.has(entry)) this.problem(`entry ${entry} is not defined`);
    const job = { pool, slot, entry, state: 'queued', worker: null, ...rest };
    this.jobs.set(slot, job);
    return job;
  }

  /** Takes a row of a pool's ring. */
  fromRing(pool, slot, entry, rest) {
    pool.queue(this.#hold(pool, slot, entry, rest));
  }

  #pool(id) {
    const pool = this.pools.get(id);
    pool?.readRing();
    return pool;
  }

  #submit({ slots, text, more }) {
    const of = (name) => this.args[ARGS.indexOf(name)];
    const pool = this.#pool(of('Pool'));
    if (pool === undefined || pool.isClosed) return SubmitAnswer.Closed;
    const slot = of('Slot');
    const slotCount = of('SlotCount');
    const copy = Float64Array.from(slots ?? []).subarray(0, slotCount);
    const job = this.#hold(pool, slot, of('Entry'), {
      e: {
        ...{ kind: of('Kind'), number: of('Number'), text, more },
        ...{ slots: copy, slotCount },
      },
      limitAt: this.clock.at + of('RemainingMs'),
      priority: of('Priority'),
      mode: of('Mode'),
      runMs: of('RunMs'),
      home: of('Home'),
    });
    if (!pool.startFor(1)) {
      this.jobs.delete(slot);
      return SubmitAnswer.NoThread;
    }
    pool.queue(job);
    return SubmitAnswer.Queued;
  }

  #kick(id, slot) {
    const pool = this.#pool(id);
    if (pool === undefined || pool.isClosed) return SubmitAnswer.Closed;
    if (pool.startFor(pool.queued.length)) return SubmitAnswer.Queued;
    pool.take(this.jobs.get(slot));
    this.jobs.delete(slot);
    return SubmitAnswer.NoThread;
  }

  #cancel(id, slot, why) {
    const job = this.#pool(id) && this.jobs.get(slot);
    if (job === undefined) return Removal.Gone;
    if (job.state === 'queued' && why === 0) {
      job.pool.take(job);
      this.jobs.delete(slot);
      return Removal.Removed;
    }
    if (job.state !== 'running') return Removal.Gone;
    if (why !== 0) job.isTold = true;
    return Removal.Running;
  }

  #runLeft(slot) {
    const job = this.jobs.get(slot);
    if (job === undefined) this.problem(`no job has slot ${slot}`);
    const runs = job?.state === 'running' || job?.state === 'lost';
    return runs ? job.runEnds - this.clock.at : job?.runMs;
  }

  #mail(id, target, channel) {
    const pool = this.#pool(id);
    if (pool === undefined) return Sent.Gone;
    if (target < 0) return pool.living > 0 ? Sent.Sent : Sent.Gone;
    const job = this.jobs.get(target);
    if (job?.state !== 'running') return Sent.Gone;
    job.mail.push(channel);
    return Sent.Sent;
  }

  #drop(id) {
    for (const { entry, state } of this.jobs.values()) {
      const isUsed = state === 'queued' || state === 'running';
      if (entry === id && isUsed) this.problem(`entry ${id} dropped too early`);
    }
    if (!this.entries.delete(id)) this.problem(`entry ${id} dropped twice`);
  }

  #dispose(id) {
    const pool = this.#pool(id);
    if (pool.living > 0) this.problem('a pool with workers was disposed of');
    for (const job of this.jobs.values()) {
      if (job.pool === pool && job.state !== 'lost') {
        this.problem(`a pool was disposed of with a job that is ${job.state}`);
      }
    }
    this.pools.delete(id);
  }

  #native() {
    // One that is gone does nothing.
    const none = new FakePool(this, 0, { workers: 0 });
    none.close();
    const of = (id) => this.#pool(id) ?? none;
    return {
      defineShape: (text) => this.#shapes.push(text) - 1,
      shapeText: (id) => this.#shapes[id],
      clock: () => this.clock.at,
      makeSlot: (slot) => this.#makeSlot(slot),
      dropSlots: (slot) => this.#slots.delete(slot),
      memory: () => ({
        header: this.header,
        scratch: this.scratch,
        times: this.times,
        submit: this.args,
        texts: [],
        mores: [],
      }),
      listen: (deliver) => {
        this.#deliver = deliver;
      },
      shutdown: () => false,
      activate() {},
      take: (texts) => this.#take(texts),
      takeEvent: () => this.events.shift(),
      createPool: (options) => {
        this.#lastPool += 1;
        const pool = new FakePool(this, this.#lastPool, options);
        this.pools.set(pool.id, pool);
        return { id: pool.id, ring: pool.ring };
      },
      hasLightFence: () => this.random.chance(50),
      setListens() {},
      setHears() {},
      needRuntime() {},
      share: () => 8,
      unshare() {},
      sharedTaken: () => 0,
      prestart: (id, count) => of(id).prestart(count),
      resize: (id, workers) => of(id).resize(workers),
      pause: (id, isPaused) => of(id).pause(isPaused),
      trim: (id, keep) => of(id).trim(keep),
      workers: (id) => of(id).living,
      counts: (id) => of(id).counts(),
      workerNumbers: (id) => of(id).numbers(),
      runLeft: (_id, slot) => this.#runLeft(slot),
      cancel: (id, slot, why) => this.#cancel(id, slot, why),
      abandon: (id, slot) => of(id).abandon(this.jobs.get(slot)),
      isLost: (_id, slot) => this.jobs.get(slot)?.state === 'lost',
      giveUp: (id, number) => of(id).giveUp(number),
      startForQueued: (id) => of(id).startFor(0),
      terminate: (id) => of(id).terminate(),
      mail: (id, target, channel) => this.#mail(id, target, channel),
      setGreets() {},
      letIn() {},
      pinned: () => [],
      close: (id) => of(id).close(),
      endNow: (id) => of(id).terminate(),
      dispose: (id) => this.#dispose(id),
      submit: (slots, text, more) => this.#submit({ slots, text, more }),
      kick: (id, slot) => this.#kick(id, slot),
      literalOf: () => 0,
      defineEntry: (...definition) => {
        this.#lastEntry += 1;
        this.entries.set(this.#lastEntry, definition);
        return this.#lastEntry;
      },
      dropEntry: (id) => this.#drop(id),
    };
  }
}

module.exports = { FakeAddon, WorkerEventKind };
