'use strict';

const { MessageChannel } = require('node:worker_threads');

const { needMuchRoom } = require('../../base/stack-room.js');
const { PoolThread } = require('./pool-thread.js');

/** @returns {MessagePort | null} keeps the process alive until it is closed */
function openPort() {
  try {
    needMuchRoom();
    const { port1 } = new MessageChannel();
    port1.ref();
    return port1;
  } catch {
    // Without room for it. The job's submission must not fail halfway.
    return null;
  }
}

/**
 * The threads of one ThreadPool: which of them are free, which are too many,
 * and whether the process waits for them. Also those that leave or run nothing.
 */
class PoolThreads {
  /** How many there may be. */
  max;
  #all = new Set();
  #lastNumber = 0;
  // By Job#home: the number of the thread that had the last of these jobs.
  #lastOf = new Map();
  #isListening = false;
  #isHolding = false;
  #isPaused = false;
  // Holds the process in place of threads, while none is there to do it.
  #port = null;

  /** @param {number} max */
  constructor(max) {
    this.max = max;
  }

  get size() {
    return this.#all.size;
  }

  [Symbol.iterator]() {
    return this.#all.values();
  }

  /**
   * Starts a thread. Follow with `add`.
   *
   * @param {ThreadPool} pool
   * @param {object} options of its realm
   * @returns {PoolThread}
   * @throws {unknown} why there is none
   */
  create(pool, options) {
    needMuchRoom();
    this.#lastNumber += 1;
    return new PoolThread(pool, this.#lastNumber, options, pool.settings);
  }

  add(thread) {
    this.#all.add(thread);
    if (this.#isListening) thread.listen(true);
    if (this.#isHolding) thread.hold(true);
  }

  /** It has exited. */
  delete(thread) {
    this.#all.delete(thread);
    this.#holdWithout();
  }

  /** It is given up, although it may go on for ever. */
  lose(thread) {
    this.#all.delete(thread);
    thread.hold(false);
    this.#holdWithout();
  }

  /** @returns {PoolThread | undefined} one that may take a job */
  free() {
    if (this.staying > this.max) return undefined;
    for (const thread of this.#all) {
      if (thread.isFree) return thread;
    }
    return undefined;
  }

  /** @returns {number} how many will take jobs once they have started */
  get starting() {
    let count = 0;
    for (const thread of this.#all) if (thread.isStarting) count += 1;
    return count;
  }

  /** @returns {number} how many do not leave */
  get staying() {
    let count = 0;
    for (const thread of this.#all) if (!thread.leaving) count += 1;
    return count;
  }

  /**
   * @param {number} home of a job, see Homes; 0 for none
   * @param {PoolThread} thread one that is free
   * @returns {PoolThread} the one that had the home's last job if that is free,
   *   else `thread`; it has the last one from now on
   */
  forHome(home, thread) {
    if (home === 0) return thread;
    const last = this.#lastOf.get(home);
    let chosen = thread;
    for (const each of this.#all) {
      if (each.number === last && each.isFree) chosen = each;
    }
    if (chosen.number !== last) this.#lastOf.set(home, chosen.number);
    return chosen;
  }

  /** @returns {number[]} of the threads that may take another job */
  numbers() {
    const numbers = [];
    for (const thread of this.#all) {
      if (!thread.leaving) numbers.push(thread.number);
    }
    return numbers;
  }

  /** @returns {PoolThread | undefined} that one, or any if it has gone */
  numbered(number) {
    const threads = [...this.#all];
    return threads.find((thread) => thread.number === number) ?? threads[0];
  }

  /** Ends idle threads until `keep` are left. */
  endSurplus(keep) {
    let left = this.staying;
    for (const thread of this.#all) {
      if (left <= keep) return;
      if (!thread.isFree) continue;
      thread.leave();
      left -= 1;
    }
  }

  /** Whether there are too many, besides those that leave. */
  get hasSurplus() {
    return this.staying > this.max;
  }

  /** @returns {boolean} whether another thread cannot run a job now */
  othersRenew(thread) {
    for (const other of this.#all) {
      if (other !== thread && other.isRenewing()) return true;
    }
    return false;
  }

  listen(wanted) {
    this.#isListening = wanted;
    for (const thread of this.#all) thread.listen(wanted);
  }

  get isHolding() {
    return this.#isHolding;
  }

  /** Sets whether the process waits for them. */
  hold(yes) {
    this.#isHolding = yes;
    for (const thread of this.#all) thread.hold(yes);
    this.#holdWithout();
  }

  /** While paused, none is started for the jobs that wait. */
  pause(yes) {
    this.#isPaused = yes;
    this.#holdWithout();
  }

  #holdWithout() {
    const wanted = this.#isPaused && this.#isHolding && this.#all.size === 0;
    if (wanted) {
      this.#port ??= openPort();
    } else if (this.#port !== null) {
      this.#port.close();
      this.#port = null;
    }
  }

  /** The pool ends. */
  leave() {
    for (const thread of this.#all) thread.leave(true);
  }

  kill() {
    for (const thread of this.#all) thread.kill();
  }
}

module.exports = { PoolThreads };
