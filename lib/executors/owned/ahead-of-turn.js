'use strict';

const { hrtime, now } = require('../../base/own-time.js');

// A worker that has run so many more jobs of less than QUICK_MS than longer ones
// gets one ahead only while a job of it takes LONG_MS: what is sent ahead may be
// sent again, which costs its owner as much as a tiny job does.
const MANY_QUICK = 64;
const MOST_QUICK = 2 * MANY_QUICK;
const QUICK_MS = 1;
const LONG_MS = 5;

/** The job that one worker has ahead of its turn, or none. See JobsAhead. */
class AheadOfTurn {
  /** @type {PoolJob | null} */
  job = null;
  #seq = 0;
  #quickJobs = 0;
  // It gets no other before, because a worker that is free may take each of them.
  #nextAt = 0;
  #word;

  /** @param {AheadWord} [word] undefined: it gets none */
  constructor(word) {
    this.#word = word;
  }

  get isOpen() {
    return this.#word !== undefined && this.job === null;
  }

  /**
   * @param {number} startedAt the time of its present job's start
   * @param {number} at the time now
   */
  isWorthIt(startedAt, at) {
    if (at < this.#nextAt) return false;
    return this.#quickJobs < MANY_QUICK || at - startedAt >= LONG_MS;
  }

  /** A job has ended. Its owner may not have read of that at once. */
  jobEnded() {
    if (this.#word === undefined) return;
    this.#nextAt = 0;
    if (this.#word.lastMs >= QUICK_MS)
      this.#quickJobs = Math.max(0, this.#quickJobs - 1);
    else this.#quickJobs = Math.min(MOST_QUICK, this.#quickJobs + 1);
  }

  /** REQUIRES: `isOpen`. Follow with the job's message. */
  offer(job, seq) {
    this.job = job;
    this.#seq = seq;
    this.#word.offer(seq);
    this.#nextAt = now() + LONG_MS;
  }

  /**
   * The job has begun, or never will here. REQUIRES: there is one
   *
   * @returns {{ seq: number, sinceMs: number } | undefined} its number, and how
   *   long ago it has begun
   */
  end() {
    const seq = this.#seq;
    this.job = null;
    if (this.#word.takeBack(seq)) return undefined;
    return { seq, sinceMs: Number(hrtime() - this.#word.begunAt) / 1e6 };
  }
}

module.exports = { AheadOfTurn };
