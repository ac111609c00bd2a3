'use strict';

const { now } = require('./realm-clock.js');

// Read now, because jobs share this realm.
const hrtime = process.hrtime.bigint;
const { clearTimeout: cancel, setTimeout: later } = globalThis;

// An owner that has not said within this time what comes next is busy.
const LATE_MS = 5;

/**
 * The jobs that a thread has ahead of their turn. It begins the first when it has
 * room and its owner is busy: an owner that is free decides which job comes next,
 * as if none were ahead (JobsAhead). It begins them in their order: after one that
 * was taken back, or is late, it waits for a word of its owner's.
 */
class AheadQueue {
  #words;
  // The oldest first. Some may have been taken back.
  #jobs = [];
  #timer;
  // The owner is deciding.
  #isHeld = false;
  #room;
  #begin;

  /** @param {AheadWords} words */
  constructor(words) {
    this.#words = words;
  }

  /**
   * @param {() => number} room how many more jobs the realm may begin
   * @param {(job: object, at: number) => void} begin
   */
  serve(room, begin) {
    this.#room = room;
    this.#begin = begin;
  }

  /** One has come. One that had its slot was taken back. */
  came(job) {
    this.#words.hasRead();
    const kept = [];
    for (let i = 0; i < this.#jobs.length; i += 1) {
      const other = this.#jobs[i];
      if (other.slot !== job.slot) kept[kept.length] = other;
    }
    kept[kept.length] = job;
    this.#jobs = kept;
    this.letGo();
    this.#isHeld = false;
    this.look();
  }

  /** Keeps no payload of those that were taken back, but their places. */
  letGo() {
    for (let i = 0; i < this.#jobs.length; i += 1) {
      const job = this.#jobs[i];
      if (!this.#words.isOffered(job.slot, job.seq)) job.input = undefined;
    }
  }

  /**
   * A job with a limit for its run begins.
   *
   * @param {number} seq
   * @param {bigint} at the time now
   * @returns {boolean} false: the owner has to be told, because it cannot look
   */
  runBegins(seq, at) {
    this.#words.presentBegins(seq, at);
    return this.#words.showsPresent;
  }

  /** A job ends, of which the owner is not told yet. */
  ends(ms) {
    this.#words.ended(ms);
  }

  /** There may be more room than before. */
  look() {
    cancel(this.#timer);
    if (this.#jobs.length === 0 || this.#isHeld || this.#room() <= 0) return;
    this.#timer = later(() => this.#ownerIsLate(), LATE_MS);
  }

  /** A job has come that begins, or one of these begins. */
  begins() {
    cancel(this.#timer);
    this.#isHeld = false;
  }

  #ownerIsLate() {
    for (let room = this.#room(); room > 0; room -= 1) {
      const job = this.#jobs[0];
      if (job === undefined) return;
      if (!this.#beginFirst(job)) {
        this.#isHeld = true;
        return;
      }
      // It is over already, and the owner may say what comes next.
      if (this.#room() >= room) break;
    }
    this.look();
  }

  #beginFirst(job) {
    const at = now();
    // Its owner refuses one that is late.
    if (job.endsAt <= at) return false;
    const isMine = this.#words.begin(job.slot, job.seq, hrtime());
    const rest = [];
    for (let i = 1; i < this.#jobs.length; i += 1) {
      rest[rest.length] = this.#jobs[i];
    }
    this.#jobs = rest;
    if (isMine) this.#begin(job, at);
    return isMine;
  }
}

module.exports = { AheadQueue };
