'use strict';

const { now } = require('../../base/own-time.js');
const { sinceMs } = require('../../base/since-ms.js');

// A worker that has run so many more jobs of less than QUICK_MS than longer ones
// gets some ahead only while a job of it takes LONG_MS: what is sent ahead may be
// sent again, which costs its owner as much as a tiny job does.
const MANY_QUICK = 64;
const MOST_QUICK = 2 * MANY_QUICK;
const QUICK_MS = 1;
const LONG_MS = 5;
// A copy of more is let go as soon as it was taken back.
const LARGE_BYTES = 2 ** 16;
// A copy of so much costs its owner little, whatever the jobs take.
const SMALL_BYTES = 2 ** 20;
// A larger one is for nothing if the worker's jobs are over before their owner is
// busy: it takes a tenth of the time of a job, at most.
const MS_PER_SMALL = 3;
// A message without a payload.
const MESSAGE_BYTES = 1024;

/** The jobs that one worker has ahead of their turn, if any. See JobsAhead. */
class AheadOfTurn {
  // `{ bytes, isRead, job, seq, slot }`, in the order in which the worker begins
  // them. The job is null when it is no longer ahead.
  #rows = [];
  #freeSlots = [];
  #quickJobs = 0;
  // It gets no more before, because a worker that is free may take each of them.
  #offered = 0;
  #nextAt = 0;
  #line;
  #words;
  // Those whose messages the worker has not read, the oldest first, and how many
  // it has read when that was looked up last.
  #unread = [];
  #read = 0;
  // The bytes of those ahead, and of those that it has not read.
  #keptBytes = 0;
  // Long until one has ended.
  #lastMs = Infinity;

  /**
   * @param {object} line of the worker: `ahead` (AheadWords), without which it gets
   *   none, and `mostAhead`
   */
  constructor(line) {
    this.#line = line;
    this.#words = line.ahead;
    for (let slot = 0; slot < (line.ahead?.slots ?? 0); slot++) {
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

  /**
   * @param {number} bytes of a job
   * @param {number} sinceMs how long its present job has run
   * @returns {boolean} whether it may have a copy of them, besides those that it
   *   has, or has not read although they were taken back
   */
  takes(bytes, sinceMs) {
    const jobMs = Math.max(this.#lastMs, sinceMs);
    const worth = SMALL_BYTES * Math.max(1, jobMs / MS_PER_SMALL);
    if (bytes > Math.min(worth, this.#line.mostAhead)) return false;
    this.#lookRead();
    const kept = this.#keptBytes;
    return kept === 0 || kept + bytes <= SMALL_BYTES * (this.#words.slots + 1);
  }

  #lookRead() {
    const { read } = this.#words;
    const rows = this.#unread.splice(0, (read - this.#read) | 0);
    this.#read = read;
    for (const row of rows) {
      row.isRead = true;
      if (row.job === null) this.#keptBytes -= row.bytes;
    }
  }

  /** A job has ended. Its owner may not have read of that at once. */
  jobEnded() {
    if (this.#words === undefined) return;
    this.#offered = 0;
    this.#lastMs = this.#words.lastMs;
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
    const bytes = job.bytes + MESSAGE_BYTES;
    const row = { bytes, isRead: false, job, seq, slot };
    this.#rows.push(row);
    this.#unread.push(row);
    this.#keptBytes += bytes;
    this.#words.offer(slot, seq);
    this.#offered += 1;
    this.#nextAt = now() + LONG_MS;
    return slot;
  }

  /** One that was taken back goes to no other worker. */
  dropped() {
    this.#offered = Math.max(0, this.#offered - 1);
  }

  /**
   * The job has begun, or never will here. REQUIRES: it has it
   *
   * @returns {{ seq: number, sinceMs: number } | undefined} its number, and how
   *   long ago it has begun
   */
  end(job) {
    const at = this.#rows.findIndex((row) => row.job === job);
    const [row] = this.#rows.splice(at, 1);
    const { seq, slot } = row;
    row.job = null;
    if (row.isRead) this.#keptBytes -= row.bytes;
    this.#freeSlots.push(slot);
    if (this.#words.takeBack(slot, seq)) {
      // It would be there until the next one comes.
      if (row.bytes > LARGE_BYTES) this.#line.send({ letGo: true });
      return undefined;
    }
    return { seq, sinceMs: sinceMs(this.#words.begunAt(slot)) };
  }
}

module.exports = { AheadOfTurn };
