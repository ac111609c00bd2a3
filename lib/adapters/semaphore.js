'use strict';

// Interval at which a waiting acquireAsync lets the event loop turn, because
// that keeps the process alive and lets V8 deliver a wake-up from another
// thread.
const TURN_MS = 10;

// Passed instead of a number of permits, to keep the buffer's own.
const ATTACH = Symbol('attach');

/**
 * A counting semaphore in one of two forms.
 *
 * Over a SharedArrayBuffer, whose first Int32 holds the free permits, it works
 * across threads: `acquire()` blocks its thread. Over a number it works inside
 * one thread: `acquire()` gives a promise, served in the order of the calls.
 */
class CountingSemaphore {
  #local;

  /**
   * Writes the number of permits into the buffer, also when other threads
   * already use it; `attach()` does not.
   *
   * @param {SharedArrayBuffer | number} target
   * @param {number} [threads] permits of the shared form
   */
  constructor(target, threads = 1) {
    if (typeof target === 'number') {
      if (!Number.isInteger(target) || target <= 0) throw permitsError();
      this.#local = { free: target, waiting: [] };
      return;
    }
    this.counter = new Int32Array(target);
    if (threads === ATTACH) return;
    if (threads <= 0) throw permitsError();
    if (typeof threads === 'number') Atomics.store(this.counter, 0, threads);
  }

  /**
   * A semaphore over a buffer that another thread set up; leaves its count.
   *
   * @param {SharedArrayBuffer} buffer
   */
  static attach(buffer) {
    return new CountingSemaphore(buffer, ATTACH);
  }

  /** Permits that are free at this moment. */
  get available() {
    return this.#local?.free ?? Atomics.load(this.counter, 0);
  }

  /**
   * Takes a permit. Shared form: blocks the thread until there is one.
   *
   * @returns {void | Promise<void>} a promise in the in-process form
   */
  acquire() {
    if (this.#local) return this.acquireAsync();
    while (!this.tryAcquire()) Atomics.wait(this.counter, 0, 0);
    return undefined;
  }

  /** @returns {boolean} whether a permit was free and is now taken */
  tryAcquire() {
    if (this.#local) {
      if (this.#local.free === 0) return false;
      this.#local.free--;
      return true;
    }
    for (;;) {
      const free = Atomics.load(this.counter, 0);
      if (free <= 0) return false;
      const seen = Atomics.compareExchange(this.counter, 0, free, free - 1);
      if (seen === free) return true;
    }
  }

  /**
   * Takes a permit without blocking the thread, in both forms.
   *
   * @returns {Promise<void>}
   */
  async acquireAsync() {
    if (this.tryAcquire()) return;
    if (this.#local) {
      await new Promise((resolve) => this.#local.waiting.push(resolve));
      return;
    }
    const turns = setInterval(() => {}, TURN_MS);
    try {
      while (!this.tryAcquire()) await this.#changed();
    } finally {
      clearInterval(turns);
    }
  }

  /** Gives a permit back and wakes one waiter. */
  release() {
    if (this.#local) {
      const next = this.#local.waiting.shift();
      if (next) next();
      else this.#local.free++;
      return;
    }
    Atomics.add(this.counter, 0, 1);
    Atomics.notify(this.counter, 0, 1);
  }

  /**
   * Runs a function while holding a permit.
   *
   * @template T
   * @param {() => T | Promise<T>} fn
   * @returns {Promise<T>}
   */
  async use(fn) {
    await this.acquireAsync();
    try {
      return await fn();
    } finally {
      this.release();
    }
  }

  // Runs one wait at a time and always to its end, because an abandoned waiter
  // would consume the wake-up of another thread.
  async #changed() {
    if (typeof Atomics.waitAsync !== 'function') {
      await new Promise((resolve) => setTimeout(resolve, TURN_MS));
      return;
    }
    await Atomics.waitAsync(this.counter, 0, 0).value;
  }
}

function permitsError() {
  return new Error('Threads must be a positive integer');
}

module.exports = { CountingSemaphore };
