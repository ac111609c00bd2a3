'use strict';

const { hrtime, now } = require('../../base/own-time.js');

// A worker that has run so many more jobs of less than QUICK_MS than longer ones
// gets some ahead only while a job of it takes LONG_MS: what is sent ahead may be
// sent again, which costs its owner as much as a tiny job does.
const MANY_QUICK = 64;
const MOST_QUICK = 2 * MANY_QUICK;
const QUICK_MS = 1;
const LONG_MS = 5;

/** The jobs that one worker has ahead of their turn, if any. See JobsAhead. */
class AheadOfTurn {
  // `{ job, seq, slot }`, in the order in which the worker begins them.
  #rows = [];
  #freeSlots = [];
  #quickJobs = 0;
  // It gets no more before, because a worker that is free may take each of them.
  #offered = 0;
  #nextAt = 0;
  #words;

  /** @param {AheadWords} [words] undefined: it gets none */
  constructor(words) {
    this.#words = words;
    for (let slot = 0; slot < (words?.slots ?? 0); slot++) {
      this.#freeSlots.push(slot);
    }
  }

  get size() {
    return this.#rows.length;
  }

  /** @returns {number} how many more there may be */
  get room() {
    return this.#freeSlots.length;
  }

  /** @returns {PoolJob[]} in the order in which the worker begins them */
  get jobs() {
    return this.#rows.map(({ job }) => job);
  }

  /** @returns {PoolJob | undefined} the one that it begins first */
  get first() {
    return this.#rows[0]?.job;
  }

  /** @returns {PoolJob | undefined} the one that it begins last */
  get last() {
    return this.#rows.at(-1)?.job;
  }

  has(job) {
    return this.#rows.some((row) => row.job === job);
  }

  /** @returns {boolean} whether one calls the entry of that number */
  needs = (id) => this.#rows.some(({ job }) => job.entry.id === id);

  /**
   * @param {number} startedAt the time of its present job's start
   * @param {number} at the time now
   * @returns {number} how many more it is worth to send
   */
  worthOf(startedAt, at) {
    if (at >= this.#nextAt) this.#offered = 0;
    const isWorthIt = this.#quickJobs < MANY_QUICK || at - startedAt >= LONG_MS;
    return isWorthIt
      ? Math.min(this.room, this.#words.slots - this.#offered)
      : 0;
  }

  /** A job has ended. Its owner may not have read of that at once. */
  jobEnded() {
    if (this.#words === undefined) return;
    this.#offered = 0;
    if (this.#words.lastMs >= QUICK_MS)
      this.#quickJobs = Math.max(0, this.#quickJobs - 1);
    else this.#quickJobs = Math.min(MOST_QUICK, this.#quickJobs + 1);
  }

  /**
   * REQUIRES: there is room. Follow with the job's message.
   *
   * @returns {number} its slot
   */
  offer(job, seq) {
    const slot = this.#freeSlots.pop();
    this.#rows.push({ job, seq, slot });
    this.#words.offer(slot, seq);
    this.#offered += 1;
    this.#nextAt = now() + LONG_MS;
    return slot;
  }

  /**
   * The job has begun, or never will here. REQUIRES: it has it
   *
   * @returns {{ seq: number, sinceMs: number } | undefined} its number, and how
   *   long ago it has begun
   */
  end(job) {
    const at = this.#rows.findIndex((row) => row.job === job);
    const [{ seq, slot }] = this.#rows.splice(at, 1);
    this.#freeSlots.push(slot);
    if (this.#words.takeBack(slot, seq)) return undefined;
    const sinceMs = Number(hrtime() - this.#words.begunAt(slot)) / 1e6;
    return { seq, sinceMs };
  }
}

module.exports = { AheadOfTurn };
