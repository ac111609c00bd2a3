'use strict';

// src/pool/submit_ring.h
const ROWS = 256;
const HEAD = 8;
const BODY = 16;
const TEXT_LENGTH = 16;
const MAX_SLOTS = 12;
const MAX_TEXT = 48;
const MOST_URGENT = 4;
const BODIES_AT = ROWS * HEAD * 8;
const WORDS_AT = BODIES_AT + ROWS * BODY * 8;
const WRITTEN = 0;
const READ = 16;
const ATTEND = 32;

const { Float64, Octets } = require('./codec/captured.js');
const { Mode } = require('./channels.js');
const { Watched } = require('./observe/meter.js');
const { now } = require('./primordials.js');

const { load, store } = Atomics;
const Words = Int32Array;
const charCodeAt = Function.prototype.call.bind(String.prototype.charCodeAt);

/**
 * The writing end of the ring through which tiny jobs reach their pool
 * without a call into the addon.
 */
class SubmitRing {
  #heads;
  #bodies;
  #bytes;
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
    this.#heads = new Float64(memory, 0, ROWS * HEAD);
    this.#bodies = new Float64(memory, BODIES_AT, ROWS * BODY);
    this.#bytes = new Octets(memory, BODIES_AT, ROWS * BODY * 8);
    this.#words = new Words(memory, WORDS_AT);
  }

  /**
   * @param {PoolJob} job with its slot
   * @param {object} e its encoding
   * @returns {boolean} false: it has to be submitted by a call
   */
  push(job, e) {
    if (
      (job.mode & ~Mode.Signalled) !== 0 ||
      job.priority < MOST_URGENT ||
      (job.watcher !== null && job.watcher.bits !== Watched.Timed) ||
      e.more !== undefined ||
      (this.#room === 0 && !this.#findRoom())
    ) {
      return false;
    }
    const row = this.#tail & (ROWS - 1);
    let size = 0;
    if (e.slotCount !== 0 || e.text !== undefined) {
      size = this.#writeBody(row * BODY, e);
      if (size < 0) return false;
    }
    const heads = this.#heads;
    const at = row * HEAD;
    heads[at] = job.slot;
    heads[at + 1] = job.entry.id;
    heads[at + 2] = e.kind;
    heads[at + 3] = e.number;
    heads[at + 4] = job.priority | job.mode;
    heads[at + 5] = size;
    heads[at + 6] = job.watcher === null ? 0 : now() + this.#clockOffset;
    heads[at + 7] = job.operation.expiresAt + this.#clockOffset;
    this.#room -= 1;
    this.#tail = (this.#tail + 1) | 0;
    if (this.#lightFence) this.#words[WRITTEN] = this.#tail;
    else store(this.#words, WRITTEN, this.#tail);
    return true;
  }

  /** Whether a worker must be woken or started for what was pushed. */
  get wantsKick() {
    const words = this.#words;
    // Compilers neither move nor merge plain accesses to typed arrays, which
    // may overlap; Atomics.load is a call that they do not inline.
    return (this.#lightFence ? words[ATTEND] : load(words, ATTEND)) !== 0;
  }

  // Answers slots and length of the text in one number, or -1.
  #writeBody(at, { slots, slotCount, text }) {
    const length = text === undefined ? 0 : text.length;
    if (
      slotCount > MAX_SLOTS ||
      length > MAX_TEXT ||
      slotCount * 8 + length > BODY * 8
    ) {
      return -1;
    }
    const bodies = this.#bodies;
    for (let i = 0; i < slotCount; i += 1) bodies[at + i] = slots[i];
    const bytes = this.#bytes;
    const from = (at + slotCount) * 8;
    for (let i = 0; i < length; i += 1) {
      const unit = charCodeAt(text, i);
      if (unit > 255) return -1;
      bytes[from + i] = unit;
    }
    return slotCount + length * TEXT_LENGTH;
  }

  #findRoom() {
    this.#room = ROWS - ((this.#tail - load(this.#words, READ)) | 0);
    return this.#room > 0;
  }
}

module.exports = { SubmitRing };
