'use strict';

// Read now, because jobs share this realm.
const hrtime = process.hrtime.bigint;
const now = performance.now.bind(performance);
const { clearTimeout: cancel, setTimeout: later } = globalThis;

// An owner that has not said within this time what comes next is busy.
const LATE_MS = 5;

/**
 * The job that a thread has ahead of its turn. It begins it when it has nothing
 * to do and its owner is busy: an owner that is free decides which job comes next,
 * as if none were ahead (JobsAhead).
 */
class JobAhead {
  #word;
  #job = null;
  #timer;
  #isIdle;
  #begin;

  /** @param {AheadWord} word */
  constructor(word) {
    this.#word = word;
  }

  /**
   * @param {() => boolean} isIdle whether the realm may begin a job
   * @param {(job: object) => void} begin
   */
  serve(isIdle, begin) {
    this.#isIdle = isIdle;
    this.#begin = begin;
  }

  /** One has come. One before it was taken back. */
  came(job) {
    this.#job = job;
    this.look();
  }

  /** The realm may have nothing to do. */
  look() {
    cancel(this.#timer);
    if (this.#job === null || !this.#isIdle()) return;
    this.#timer = later(() => this.#ownerIsLate(), LATE_MS);
  }

  /** Another one begins, for which the owner has taken it back. */
  drop() {
    cancel(this.#timer);
    this.#job = null;
  }

  #ownerIsLate() {
    const job = this.#job;
    this.#job = null;
    // Its owner refuses one that is late.
    if (!this.#isIdle() || job.endsAt <= now()) return;
    if (this.#word.begin(job.seq, hrtime())) this.#begin(job);
  }
}

module.exports = { JobAhead };
