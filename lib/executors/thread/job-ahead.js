'use strict';

const { now } = require('../owned/realm-clock.js');

// Read now, because jobs share this realm.
const hrtime = process.hrtime.bigint;
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
  // The time when the present job began.
  #since = 0;
  #isIdle;
  #begin;

  /** @param {AheadWord} word */
  constructor(word) {
    this.#word = word;
  }

  /**
   * @param {() => boolean} isIdle whether the realm may begin a job
   * @param {(job: object, at: number) => void} begin
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

  /** A job has ended. */
  ended() {
    this.#word.ended(now() - this.#since);
    this.look();
  }

  /** Whether the realm may begin a job has changed. */
  look() {
    cancel(this.#timer);
    if (this.#job === null || !this.#isIdle()) return;
    this.#timer = later(() => this.#ownerIsLate(), LATE_MS);
  }

  /**
   * A job begins: this one, or another for which the owner has taken it back.
   *
   * @param {number} at the time now
   */
  begins(at) {
    cancel(this.#timer);
    this.#job = null;
    this.#since = at;
  }

  #ownerIsLate() {
    const job = this.#job;
    const at = now();
    this.#job = null;
    // Its owner refuses one that is late.
    if (!this.#isIdle() || job.endsAt <= at) return;
    if (this.#word.begin(job.seq, hrtime())) this.#begin(job, at);
  }
}

module.exports = { JobAhead };
