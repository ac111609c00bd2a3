'use strict';

const { Random } = require('./random.js');
const { Source } = require('./signals.js');
const { addon, clock, codes, pendingTimers } = require('./load.js');
const { checkAll, checkEnd, checkOutcome } = require('./invariants.js');

const { Code } = codes;
const MAX_JOBS = 40;
const DEPTH = 2;

/** The error that the world throws where foreign code may throw. */
class ForeignError extends Error {}

/** One submission: what was asked, and what its promise said. */
class Call {
  outcome = null;
  settledAt = Infinity;
  runs = 0;
  /** Codes with which its executor has ended it. */
  codes = new Set();
  value = undefined;
  messages = 0;
  heard = 0;
  receipts = [];
  source = null;
  expiresAt = Infinity;
  runMs = Infinity;
  /** The state of the run that goes on. */
  startedAt = Infinity;
  lastStart = Infinity;
  wasLate = false;
  key = undefined;
  /** Foreign code ran, or threw, inside the call. */
  wasEntered = false;
  hasThrown = false;
  /** Its caller has the promise. */
  isOut = false;

  constructor(n, at) {
    this.n = n;
    this.at = at;
  }

  /** A run ends: whether it took too long is known then. */
  endRun() {
    this.wasLate ||= clock.at >= this.startedAt + this.runMs;
    this.startedAt = Infinity;
  }

  get code() {
    return this.outcome?.error?.code;
  }
}

/**
 * A world of one pool or queue: random steps, of the caller and of what runs
 * below, each followed by all microtasks and all invariants. Foreign code may
 * take further steps wherever the library calls it.
 */
class World {
  calls = [];
  sources = [];
  steps = [];
  problems = [];
  waits = [];
  stops = 0;
  hasDropped = false;
  isEnding = false;
  isQuiet = true;
  #depth = 0;
  #entered = [];

  constructor(seed) {
    this.random = new Random(seed);
    addon.random = this.random;
    addon.problems.length = 0;
  }

  /** Whether foreign code runs inside the owner's. */
  get isInside() {
    return this.#depth > 0;
  }

  note(text) {
    this.steps.push(`${' '.repeat(this.#depth * 2)}${text}`);
  }

  problem(text) {
    this.problems.push(text);
  }

  /** The library calls foreign code here. */
  foreign(point, mayThrow = false) {
    const inside = this.#entered.at(-1);
    if (this.#depth < DEPTH && this.random.chance(25)) {
      if (inside !== undefined) inside.wasEntered = true;
      this.note(`in ${point}:`);
      this.#depth += 1;
      try {
        this.step();
      } finally {
        this.#depth -= 1;
      }
    }
    if (!mayThrow || !this.random.chance(10)) return;
    this.note(`${point} throws`);
    for (const call of this.#entered) call.hasThrown = true;
    throw new ForeignError(point);
  }

  // --- steps of the caller --------------------------------------------------

  /** @returns {Source} a signal, new or of an earlier call */
  source() {
    if (this.sources.length > 0 && this.random.chance(50)) {
      return this.random.of(this.sources);
    }
    const kind = this.random.of(['ours', 'node', 'node', 'foreign', 'mute']);
    const source = new Source(this, kind);
    this.sources.push(source);
    return source;
  }

  /** Options of a call, and what they mean. */
  limitsFor(call, options) {
    const { random } = this;
    if (random.chance(35)) {
      call.source = this.source();
      options.signal = call.source.signal;
    }
    if (random.chance(30)) {
      options.timeoutMs = random.of([1, 5, 5, 20, 60]);
      call.expiresAt = clock.at + options.timeoutMs;
    }
    if (random.chance(10)) {
      const ms = random.of([2, 30]);
      call.expiresAt = Math.min(call.expiresAt, clock.at + ms);
      options.deadline = random.chance(50) ? ms : this.#deadline(clock.at + ms);
    }
    if (random.chance(15)) {
      options.runTimeoutMs = random.of([3, 10]);
      call.runMs = options.runTimeoutMs;
    }
  }

  #deadline(at) {
    return {
      remainingMs: () => {
        this.foreign('remainingMs', true);
        return Math.max(0, at - clock.at);
      },
      get expired() {
        return at <= clock.at;
      },
    };
  }

  submit() {
    if (this.calls.length >= MAX_JOBS) return;
    const call = new Call(this.calls.length + 1, clock.at);
    this.calls.push(call);
    const options = {};
    this.limitsFor(call, options);
    this.optionsFor(call, options);
    const told = Object.entries(Object.getOwnPropertyDescriptors(options)).map(
      ([name, { value }]) =>
        typeof value === 'number' ? `${name} ${value}` : name,
    );
    this.note(`submit ${call.n} {${told.join(', ')}}`);
    call.wasFull = this.isFull();
    call.wasStopped = this.stops > 0;
    call.wasCancelled = call.source?.isCancelled === true;
    this.#entered.push(call);
    let promise;
    try {
      promise = this.callOf(call, options);
    } catch (error) {
      this.problem(`call ${call.n} threw ${error?.stack}`);
      return;
    } finally {
      this.#entered.pop();
      if (this.#entered.length > 0) this.#entered.at(-1).wasEntered = true;
    }
    call.isOut = true;
    const told2 = (outcome) => {
      if (call.outcome !== null) this.problem(`call ${call.n} settled twice`);
      call.outcome = outcome;
      call.settledAt = clock.at;
      this.note(
        `${call.n} ${'value' in outcome ? 'fulfilled' : `rejected: ${outcome.error?.code ?? outcome.error}`}`,
      );
      checkOutcome(this, call);
      if (this.random.chance(20)) this.foreign('then');
    };
    promise.then(
      (value) => told2({ value }),
      (error) => told2({ error }),
    );
  }

  /** Waits for the end of those that were called before. */
  #wait(name, promise) {
    const before = this.calls.filter(({ isOut }) => isOut);
    const wait = { name, isOver: false };
    this.waits.push(wait);
    promise.then(
      (counts) => {
        wait.isOver = true;
        wait.counts = counts;
        this.note(`${name} is over`);
        for (const { n, outcome } of before) {
          if (outcome === null)
            this.problem(`${name} is over before call ${n}`);
        }
      },
      (error) => this.problem(`${name} rejects: ${error?.stack}`),
    );
  }

  drain() {
    this.note('drain');
    this.#wait('drain', this.handle.drain());
  }

  stop(isLast = false) {
    const { random } = this;
    const drain = !random.chance(50);
    const timeoutMs = random.of([0, 5, 40, isLast ? 40 : undefined]);
    this.note(`stop {drain ${drain}, timeoutMs ${timeoutMs}}`);
    this.stops += 1;
    if (!drain) this.hasDropped = true;
    this.#wait('stop', this.handle.stop({ drain, timeoutMs }));
  }

  cancel() {
    const open = this.sources.filter(({ isCancelled }) => !isCancelled);
    if (open.length === 0) return;
    const source = this.random.of(open);
    const served = this.calls.filter((call) => call.source === source);
    this.note(`cancel ${source.kind} of ${served.map(({ n }) => n)}`);
    source.cancel();
  }

  /** Time goes on, or jumps, as where this thread was busy. */
  advance() {
    const next = clock.next();
    const isBusy = this.random.chance(15);
    if (next === undefined || isBusy) clock.at += this.random.of([1, 3, 10]);
    else clock.at = Math.max(clock.at, Math.min(next.at, clock.at + 2500));
    this.note(`time is ${clock.at}${isBusy ? ', and no timer has fired' : ''}`);
    if (!isBusy) while (clock.fireDue());
  }

  step() {
    const own = this.actions();
    const all = [
      [this.isEnding ? 1 : 30, () => this.submit()],
      [8, () => this.cancel()],
      [this.isEnding || this.#depth > 0 ? 1 : 12, () => this.#advanceOutside()],
      [2, () => this.drain()],
      [this.stops > 0 ? 3 : 0.6, () => this.stop()],
      ...own,
    ];
    this.random.weighed(all)();
  }

  // Timers fire from the loop, never inside other code.
  #advanceOutside() {
    if (this.#depth === 0) this.advance();
  }

  // --- the course of a world ------------------------------------------------

  async quiet() {
    await new Promise((resolve) => setImmediate(resolve));
    while (clock.hasImmediates) {
      clock.runImmediates();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #after() {
    await this.quiet();
    this.problems.push(...addon.problems.splice(0));
    checkAll(this);
    return this.problems.length === 0;
  }

  /** @returns {Promise<string[]>} what was wrong */
  async run() {
    this.setUp();
    const steps = 15 + this.random.below(45);
    for (let i = 0; i < steps; i += 1) {
      this.step();
      if (!(await this.#after())) return this.problems;
    }
    this.isEnding = true;
    if (this.random.chance(50)) {
      // All that is under way ends by itself.
      this.note('no more is submitted');
      this.release();
      if (!(await this.#finish(() => this.isIdle))) return this.problems;
    }
    this.stop(true);
    this.release();
    await this.#finish(() => this.isOver);
    if (this.problems.length === 0) checkEnd(this);
    return this.problems;
  }

  async #finish(isDone) {
    for (let i = 0; i < 2000; i += 1) {
      if (!(await this.#after())) return false;
      if (isDone() && !addon.hasNews && i > 3) return true;
      if (!this.finishOne()) {
        const next = clock.next();
        if (next === undefined) break;
        clock.at = Math.max(clock.at, next.at);
        this.note(`time is ${clock.at}`);
        while (clock.fireDue());
      }
    }
    if (isDone()) return true;
    const left = this.calls.filter(({ outcome }) => outcome === null);
    const waits = this.waits.filter(({ isOver }) => !isOver);
    this.problem(
      `never ends: calls ${left.map(({ n }) => n)}, ` +
        `${waits.map(({ name }) => name)}, taken ${this.admission.places.taken}`,
    );
    return false;
  }

  get isIdle() {
    return (
      this.admission.places.taken === 0 &&
      this.calls.every(({ outcome }) => outcome !== null)
    );
  }

  get isOver() {
    return (
      this.calls.every(({ outcome }) => outcome !== null) &&
      this.waits.every(({ isOver }) => isOver) &&
      this.isGone()
    );
  }

  isFull() {
    return this.admission.needsDrain;
  }
}

module.exports = { Code, ForeignError, World, pendingTimers };
