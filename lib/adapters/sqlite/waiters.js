'use strict';

const { clearTimeout, monotonic, setTimeout } = require('./clock.js');
const { timerMs } = require('../../base/timer-ms.js');

/** How often the wall clock is looked at, because it jumps after a sleep. */
const CLOCK_MS = 50;

/** One call that waits until a look at the file answers it. */
class Waiter {
  due = undefined;
  #look;
  #read;
  #resolve;
  #isLooking = false;
  #isStale = false;
  #isOver = false;

  constructor({ queue, endsAt, look, read, resolve }) {
    this.queue = queue;
    this.endsAt = endsAt;
    this.#look = look;
    this.#read = read;
    this.#resolve = resolve;
  }

  /** Looks, and once more if something has changed meanwhile. */
  async look() {
    if (this.#isLooking) {
      this.#isStale = true;
      return;
    }
    this.#isLooking = true;
    try {
      do {
        this.#isStale = false;
        const { value, due } = await this.#read(this.#look);
        this.due = due;
        if (value !== undefined) this.#resolve({ value });
      } while (this.#isStale && !this.#isOver);
      if (this.#isOver) this.end();
    } catch (error) {
      this.#resolve({ error });
    } finally {
      this.#isLooking = false;
    }
  }

  /** A look that is under way may still find something. */
  timeIsOver() {
    this.#isOver = true;
    if (!this.#isLooking) this.end();
  }

  /** Ends it without an answer; the first end counts. */
  end() {
    this.#resolve({ value: null });
  }

  get isDue() {
    return this.due !== undefined && Date.now() >= this.due;
  }

  /** Milliseconds until the clocks have to be looked at. */
  get pauseMs() {
    const left = this.endsAt - monotonic();
    if (this.due === undefined) return left;
    return Math.min(left, CLOCK_MS, Math.max(this.due - Date.now(), 1));
  }
}

/** The calls of a file that wait for a job or for events. */
class Waiters {
  #read;
  #waking;
  #all = new Set();
  #timer = undefined;

  /**
   * @param {(look: Function) => Promise<object>} read runs a look as a read of
   *   the file
   * @param {Waking} waking runs while somebody waits
   */
  constructor(read, waking) {
    this.#read = read;
    this.#waking = waking;
  }

  /**
   * @param {{ queue: string, timeoutMs: number, signal: AbortSignal,
   *   look: (tx: Transaction) => { value?: T, due?: number } }} options `due`:
   *   when, by Date.now(), to look again though nothing is written
   * @returns {Promise<T | null>} null: the time is over, or `signal` is aborted
   */
  async wait({ queue, timeoutMs, signal, look }) {
    if (signal.aborted) return null;
    const { promise, resolve } = deferred();
    const endsAt = monotonic() + timeoutMs;
    const read = this.#read;
    const waiter = new Waiter({ queue, endsAt, look, read, resolve });
    const end = () => waiter.end();
    signal.addEventListener('abort', end);
    this.#all.add(waiter);
    this.#waking.start();
    try {
      this.#arm();
      this.#look(waiter);
      const { value, error } = await promise;
      if (error !== undefined) throw error;
      return value;
    } finally {
      signal.removeEventListener('abort', end);
      this.#all.delete(waiter);
      this.#arm();
      if (this.#all.size === 0) this.#waking.stop();
    }
  }

  /** @param {Set<string>} [queues] that have changed; default: any may have */
  wake(queues) {
    for (const waiter of this.#all) {
      if (queues === undefined || queues.has(waiter.queue)) this.#look(waiter);
    }
  }

  /** A look may find out when to look again. */
  async #look(waiter) {
    await waiter.look();
    if (this.#all.has(waiter)) this.#arm();
  }

  #arm() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#all.size === 0) return;
    let pause = Infinity;
    for (const waiter of this.#all) pause = Math.min(pause, waiter.pauseMs);
    this.#timer = setTimeout(() => this.#time(), timerMs(Math.max(pause, 1)));
  }

  #time() {
    const now = monotonic();
    for (const waiter of this.#all) {
      if (waiter.isDue) this.#look(waiter);
      else if (now >= waiter.endsAt) waiter.timeIsOver();
    }
    this.#arm();
  }
}

/** Promise.withResolvers, which Node 20 lacks. */
function deferred() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

module.exports = { Waiters };
