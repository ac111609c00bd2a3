'use strict';

const BYTES = 16;
const LONGEST = 2 ** 31 - 1;

/**
 * The memory in which a thread and its owner decide about the job that was sent
 * ahead: its number is there until the thread begins the job, or the owner takes
 * it back, whichever is first.
 */
class AheadWord {
  // Its number, and the milliseconds of the thread's last job.
  #words;
  #at;

  /** @param {SharedArrayBuffer} [memory] that of the other end */
  constructor(memory = new SharedArrayBuffer(BYTES)) {
    this.memory = memory;
    this.#words = new Int32Array(memory, 0, 2);
    this.#at = new BigInt64Array(memory, 8, 1);
  }

  /** The owner has none there. Follow with the job's message. */
  offer(seq) {
    Atomics.store(this.#words, 0, seq);
  }

  /** @returns {boolean} false: the thread has begun it */
  takeBack(seq) {
    return this.#take(seq);
  }

  /** The time at which the thread has begun the last one. */
  get begunAt() {
    return Atomics.load(this.#at, 0);
  }

  /** Whole milliseconds that the thread's last job has taken there. */
  get lastMs() {
    return Atomics.load(this.#words, 1);
  }

  /** Called in the thread: a job has ended. */
  ended(ms) {
    Atomics.store(this.#words, 1, Math.min(ms, LONGEST));
  }

  /**
   * Called in the thread.
   *
   * @param {number} seq
   * @param {bigint} at the time now
   * @returns {boolean} false: the owner has taken it back
   */
  begin(seq, at) {
    Atomics.store(this.#at, 0, at);
    return this.#take(seq);
  }

  #take(seq) {
    return Atomics.compareExchange(this.#words, 0, seq, 0) === seq;
  }
}

module.exports = { AheadWord };
