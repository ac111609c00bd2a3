'use strict';

// src/pool/submit_ring.h
const ROWS = 256;
const ROW = 16;
const MOST_URGENT = 4;
const QUEUED_AT = 6;
const FIRST_SLOT = 7;
const MAX_SLOTS = ROW - FIRST_SLOT;
const WORDS_AT = ROWS * ROW * 8;
const TAIL = 0;
const HEAD = 16;
const ATTEND = 32;

const { Watched } = require('./observe/meter.js');

const { load, store } = Atomics;

/**
 * The writing end of the ring through which tiny jobs reach their pool
 * without a call into the addon.
 */
class SubmitRing {
  #rows;
  #words;
  #lightFence;
  #tail = 0;
  #room = ROWS;
  #clockOffset;

  /**
   * @param {ArrayBuffer} memory from `createPool`
   * @param {boolean} lightFence plain stores will do (src/base/cpu.h)
   * @param {number} clockOffset from performance.now() to the addon's clock
   */
  constructor(memory, lightFence, clockOffset) {
    this.#lightFence = lightFence;
    this.#clockOffset = clockOffset;
    this.#rows = new Float64Array(memory, 0, ROWS * ROW);
    this.#words = new Int32Array(memory, WORDS_AT);
  }

  /**
   * @param {PoolJob} job with its slot
   * @param {object} e its encoding
   * @returns {boolean} false: it has to be submitted by a call
   */
  push(job, e) {
    const { slotCount } = e;
    if (
      slotCount > MAX_SLOTS ||
      job.mode !== 0 ||
      job.priority < MOST_URGENT ||
      (job.watcher !== null && job.watcher.bits !== Watched.Timed) ||
      e.text !== undefined ||
      e.more !== undefined ||
      (this.#room === 0 && !this.#findRoom())
    ) {
      return false;
    }
    const rows = this.#rows;
    const at = (this.#tail & (ROWS - 1)) * ROW;
    rows[at] = job.slot;
    rows[at + 1] = job.entry.id;
    rows[at + 2] = e.kind;
    rows[at + 3] = e.number;
    rows[at + 4] = job.priority;
    rows[at + 5] = slotCount;
    rows[at + QUEUED_AT] =
      job.watcher === null ? 0 : performance.now() + this.#clockOffset;
    const { slots } = e;
    for (let i = 0; i < slotCount; i += 1) rows[at + FIRST_SLOT + i] = slots[i];
    this.#room -= 1;
    this.#tail = (this.#tail + 1) | 0;
    if (this.#lightFence) this.#words[TAIL] = this.#tail;
    else store(this.#words, TAIL, this.#tail);
    return true;
  }

  /** Whether a worker must be woken or started for what was pushed. */
  get wantsKick() {
    return load(this.#words, ATTEND) !== 0;
  }

  #findRoom() {
    this.#room = ROWS - ((this.#tail - load(this.#words, HEAD)) | 0);
    return this.#room > 0;
  }
}

module.exports = { SubmitRing };
