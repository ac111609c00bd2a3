'use strict';

const { Code, PoolWorld } = require('./pool-world.js');
const { addon, clock, codes, createCodec, getHost } = require('./load.js');
const {
  Channel,
  PayloadKind,
  WorkerEventKind,
} = require('../../lib/protocol/wire.gen.js');

const idOf = (code) => codes.DIAGNOSTICS[code].id;
const ENDS = [Code.JobFailed, Code.ResourceLimit, Code.JobFailed];
const { decode } = createCodec({
  defineShape: addon.native.defineShape,
  shapeText: addon.native.shapeText,
  compileFunction: () => null,
});

/** A WorkerPool over the fake addon. */
class IsolateWorld extends PoolWorld {
  #lastOfKey = new Map();
  #lastPlain = 0;

  setUp() {
    addon.onArrival = (job) => this.#arrived(job);
    this.create('isolate');
    this.host = getHost();
  }

  get #pools() {
    return [...addon.pools.values()];
  }

  #arrived(job) {
    const { kind, number, slots, text, more } = job.e;
    let input;
    try {
      input = decode(kind, number, slots, 0, text, more);
    } catch (error) {
      this.problem(`an input cannot be read: ${error.message}`);
      return;
    }
    const n = Number.parseInt(input?.n ?? input?.[0] ?? input, 10);
    const first = typeof input === 'string' ? Number.parseInt(input, 10) : n;
    const call = this.calls[first - 1];
    if (call === undefined) {
      this.problem(`a job has the input ${JSON.stringify(input)}`);
      return;
    }
    job.call = call;
    if (call.job !== undefined) this.problem(`call ${call.n} is sent twice`);
    call.job = job;
    if (call.outcome !== null) this.problem(`call ${call.n} is sent too late`);
    this.#checkOrder(call);
    this.note(`the addon has ${call.n}`);
  }

  // Jobs of one key come in the order of their calls, and so do others: unless
  // foreign code made another call inside one of them.
  #checkOrder(call) {
    if (call.wasEntered) return;
    const { key, n } = call;
    const last = key === undefined ? this.#lastPlain : this.#lastOfKey.get(key);
    if (n < last) this.problem(`call ${n} comes after call ${last}`);
    if (key === undefined) this.#lastPlain = n;
    else this.#lastOfKey.set(key, n);
  }

  // --- steps of the addon ---------------------------------------------------

  #start(pool, job) {
    this.note(`a worker takes ${job.call.n}`);
    pool.start(job);
    const { call } = job;
    call.startedAt = call.lastStart = clock.at;
    if (call.outcome !== null) this.problem(`call ${call.n} starts too late`);
  }

  #finish(job) {
    const { call, pool } = job;
    const { random } = this;
    const isLost = job.state === 'lost';
    call.startedAt = Infinity;
    if (job.isTold && random.chance(70)) {
      call.codes.add(Code.JobCancelled);
      this.note(`${call.n} ends, as it was told`);
      pool.finish(job, idOf(Code.JobCancelled));
    } else if (random.chance(60)) {
      this.note(`${call.n} returns`);
      call.value = `r${call.n}`;
      pool.finish(job, 0, 0, call.value);
    } else if (random.chance(15) && !isLost) {
      this.note(`${call.n} takes its worker down`);
      call.codes.add(Code.Crashed);
      const worker = pool.workers.find((each) => each.job === job);
      pool.finish(job, idOf(Code.Crashed));
      pool.exit(worker);
    } else {
      const code = random.of(ENDS);
      this.note(`${call.n} fails: ${code}`);
      call.codes.add(code);
      pool.finish(job, idOf(code));
    }
  }

  #emit(job) {
    const { call } = job;
    call.messages += 1;
    const text = `m${call.n}:${call.messages}`;
    const kind = PayloadKind.String;
    const more = { channel: Channel.Emit, kind, text };
    addon.post(WorkerEventKind.Message, job.pool, job.slot, more);
  }

  #expire(job) {
    this.note(`the addon ends ${job.call.n}, which has waited too long`);
    job.pool.expire(job, idOf(Code.JobTimeout));
  }

  #deliver() {
    this.note('the owner hears');
    addon.deliver();
  }

  actions() {
    const { random } = this;
    const actions = [
      [1, () => this.resize()],
      [1, () => this.pause()],
      [1, () => this.refs()],
    ];
    if (addon.hasNews) actions.push([25, () => this.#deliver()]);
    for (const pool of this.#pools) {
      pool.look(pool.staying === 0 || random.chance(50));
      pool.hasNoThread = random.chance(2);
      if (pool.hasNoThread) this.hasLackedThreads = true;
      const { next } = pool;
      if (next !== undefined) actions.push([20, () => this.#start(pool, next)]);
      for (const job of pool.running) {
        actions.push([6, () => this.#finish(job)]);
        if (job.call.hears) actions.push([6, () => this.#emit(job)]);
      }
      for (const job of pool.queued) {
        if (job.limitAt <= clock.at) actions.push([6, () => this.#expire(job)]);
      }
      const gone = pool.workers.find((w) => w.isLeaving && w.job === null);
      if (gone !== undefined) actions.push([8, () => this.#exit(pool, gone)]);
    }
    return actions;
  }

  #exit(pool, worker) {
    this.note(`worker ${worker.number} has gone`);
    pool.exit(worker);
  }

  // --- the end --------------------------------------------------------------

  finishOne() {
    if (addon.hasNews) {
      this.#deliver();
      return true;
    }
    for (const pool of this.#pools) {
      pool.hasNoThread = false;
      const { next } = pool;
      if (next !== undefined) {
        this.#start(pool, next);
        return true;
      }
      // Some go on, and are lost after a while.
      const ends = pool.running.filter((job) => !this.#isStuck(job));
      if (ends.length > 0) {
        this.#finish(this.random.of(ends));
        return true;
      }
      const gone = pool.workers.find((w) => w.isLeaving && w.job === null);
      if (gone !== undefined) {
        this.#exit(pool, gone);
        return true;
      }
    }
    return this.#finishLost();
  }

  #isStuck(job) {
    job.isStuck ??= this.random.chance(15);
    return job.isStuck && job.isTold;
  }

  #finishLost() {
    for (const job of addon.jobs.values()) {
      if (job.state !== 'lost') continue;
      this.#finish(job);
      return true;
    }
    return false;
  }

  isGone() {
    return addon.pools.size === 0 && addon.jobs.size === 0;
  }

  runningCalls() {
    return this.#pools.flatMap((pool) => pool.running.map(({ call }) => call));
  }

  held() {
    const { executor } = this.admission;
    if (executor.host === undefined) return 0;
    return executor.host.slots.countOf(executor);
  }

  checkMore() {
    super.checkMore();
    const { executor } = this.admission;
    if (executor.host === undefined) return;
    for (const [slot, { pool, state }] of addon.jobs) {
      if (pool.id !== executor.id || state === 'lost') continue;
      if (executor.host.slots.serialOf(slot) === -1) {
        this.problem(`slot ${slot} is free, and the addon has its job`);
      }
    }
  }

  checkGone() {
    if (addon.entries.size > 0) this.problem('entries stay defined');
    if (addon.isActive) this.problem('the process is kept alive');
    addon.onArrival = undefined;
  }
}

module.exports = { IsolateWorld };
