'use strict';

const { hrtime } = require('../../base/own-time.js');

// A worker that has run this many jobs in a row, each in less than QUICK_MS, gets
// one ahead only while a job of it takes longer: what is sent ahead may be sent
// again, which costs its owner as much as a tiny job does.
const MANY_QUICK = 8;
const QUICK_MS = 1;
const LONG_MS = 5;

/** What one worker has ahead of its turn: one job, or none. See JobsAhead. */
class AheadOfTurn {
  /** @type {PoolJob | null} */
  job = null;
  #seq = 0;
  #quickJobs = 0;
  #word;

  /** @param {AheadWord} [word] undefined: it gets none */
  constructor(word) {
    this.#word = word;
  }

  get isOpen() {
    return this.#word !== undefined && this.job === null;
  }

  /** @param {number} ms for which its present job has run */
  isWorthIt(ms) {
    return this.#quickJobs < MANY_QUICK || ms >= LONG_MS;
  }

  /** @param {number} ms which the last job has taken */
  jobEnded(ms) {
    this.#quickJobs = ms < QUICK_MS ? this.#quickJobs + 1 : 0;
  }

  /** REQUIRES: `isOpen`. Follow with the job's message. */
  offer(job, seq) {
    this.job = job;
    this.#seq = seq;
    this.#word.offer(seq);
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

module.exports = { AheadOfTurn, LONG_MS };
