'use strict';

// Read now, because jobs share the thread's realm.
const { add, compareExchange, load, store } = Atomics;
const { min } = Math;

// Four words, of which one is free.
const HEAD_WORDS = 4;
const HEAD_BYTES = 4 * HEAD_WORDS;
// The time of its present job's begin.
const PRESENT_BYTES = 8;
// A job's number, and when the thread has begun it.
const SLOT_BYTES = 16;
const LONGEST = 2 ** 31 - 1;
// A worker of more jobs at once has no more ahead, because each is a copy.
const MOST_SLOTS = 16;

/**
 * The memory in which a thread and its owner decide about the jobs that were sent
 * ahead: the number of each is in its slot until the thread begins the job, or the
 * owner takes it back, whichever is first. A job with a limit for its run has its
 * number and its begin there too: its owner looks there once the limit would be
 * over, and needs no message of each job.
 */
class AheadWords {
  // The milliseconds of the thread's last job, how many jobs have come, the number
  // of the present job, two words for each slot; the times of the slots, and that
  // of the present job.
  #words;
  #times;

  /**
   * @param {SharedArrayBuffer} memory of `room`, or that of the other end
   * @param {boolean} [isCommon] whether there is another end; default true
   */
  constructor(memory, isCommon = true) {
    const { byteLength } = memory;
    this.memory = memory;
    this.isCommon = isCommon;
    this.slots = (byteLength - HEAD_BYTES - PRESENT_BYTES) / SLOT_BYTES;
    this.#words = new Int32Array(memory, 0, HEAD_WORDS + 2 * this.slots);
    this.#times = new BigInt64Array(memory, HEAD_BYTES + 8 * this.slots);
  }

  /** @returns {number} for the jobs of a worker that runs so many */
  static bytesFor(concurrentJobs) {
    const slots = min(concurrentJobs, MOST_SLOTS);
    return HEAD_BYTES + slots * SLOT_BYTES + PRESENT_BYTES;
  }

  /** @returns {SharedArrayBuffer} of as many bytes */
  static room(concurrentJobs) {
    return new SharedArrayBuffer(AheadWords.bytesFor(concurrentJobs));
  }

  /** The owner has none in that slot. Follow with the job's message. */
  offer(slot, seq) {
    store(this.#words, HEAD_WORDS + slot, seq);
  }

  /** @returns {boolean} false: the thread has begun it */
  takeBack(slot, seq) {
    return this.#take(slot, seq);
  }

  /** @returns {bigint} when the thread has begun the last one of that slot */
  begunAt(slot) {
    return load(this.#times, slot);
  }

  /**
   * Whether the owner can look for the begin of the present job: of several, one
   * may begin before another has ended.
   */
  get showsPresent() {
    return this.isCommon && this.slots === 1;
  }

  /** Called in the thread: the present job begins. */
  presentBegins(seq, at) {
    store(this.#times, this.slots, at);
    store(this.#words, 2, seq);
  }

  /**
   * @returns {bigint | undefined} when the thread has begun the job; undefined: it
   *   has not, or a later one since then
   */
  presentBegunAt(seq) {
    if (load(this.#words, 2) !== seq) return undefined;
    return load(this.#times, this.slots);
  }

  /** Whole milliseconds that the thread's last job has taken there. */
  get lastMs() {
    return load(this.#words, 0);
  }

  /** How many of the messages that were sent ahead the thread has read, 32 bits. */
  get read() {
    return load(this.#words, 1);
  }

  /** Called in the thread: it has read one. */
  hasRead() {
    add(this.#words, 1, 1);
  }

  /** @returns {boolean} whether the thread may still begin it */
  isOffered(slot, seq) {
    return load(this.#words, HEAD_WORDS + slot) === seq;
  }

  /** Called in the thread, before its owner is told: a job has ended. */
  ended(ms) {
    store(this.#words, 0, min(ms, LONGEST));
  }

  /**
   * Called in the thread.
   *
   * @param {number} slot
   * @param {number} seq
   * @param {bigint} at the time now
   * @returns {boolean} false: the owner has taken it back
   */
  begin(slot, seq, at) {
    store(this.#times, slot, at);
    return this.#take(slot, seq);
  }

  #take(slot, seq) {
    return compareExchange(this.#words, HEAD_WORDS + slot, seq, 0) === seq;
  }
}

module.exports = { AheadWords };
