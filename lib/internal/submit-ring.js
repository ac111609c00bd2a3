'use strict';

// src/pool/submit_ring.h
const ROWS = 256;
const BODY = 16;
const TEXT_LENGTH = 16;
const MAX_SLOTS = 12;
const MAX_TEXT = 48;
const MOST_URGENT = 4;
// Where something is, in bytes,
const ROW_BYTES = 32;
const BODIES_AT = ROWS * ROW_BYTES;
const QUEUED_AT = BODIES_AT + ROWS * BODY * 8;
const READ_AT = QUEUED_AT + ROWS * 8;
// in words,
const READ = READ_AT / 4;
const ATTEND = READ + 16;
// in a row's words,
const ROW_WORDS = ROW_BYTES / 4;
const SLOT = 0;
const ENTRY = 1;
const HOW = 2;
const WRITTEN = 3;
// in its doubles,
const ROW_DOUBLES = ROW_BYTES / 8;
const NUMBER = 2;
const DEADLINE = 3;
// and in HOW.
const PRIORITY_BIT = 3;
const SIZE_BIT = 6;
const TIMED = 1 << 16;
const MODE_BIT = 17;

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
  #doubles;
  #bytes;
  #words;
  #hasLightFence;
  #lightFence;
  #tail = 0;
  #room = ROWS;
  #clockOffset;

  /**
   * @param {ArrayBuffer} memory from `createPool`
   * @param {() => boolean} hasLightFence whether plain stores will do from now
   *   on (src/base/cpu.h)
   * @param {number} clockOffset from performance.now() to the addon's clock
   */
  constructor(memory, hasLightFence, clockOffset) {
    this.#hasLightFence = hasLightFence;
    this.#lightFence = hasLightFence();
    this.#clockOffset = clockOffset;
    this.#doubles = new Float64(memory);
    this.#bytes = new Octets(memory);
    this.#words = new Words(memory);
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
    let how = e.kind | (job.priority << PRIORITY_BIT) | (job.mode << MODE_BIT);
    if (e.slotCount !== 0 || e.text !== undefined) {
      const size = this.#writeBody(BODIES_AT / 8 + row * BODY, e);
      if (size < 0) return false;
      how |= size << SIZE_BIT;
    }
    const doubles = this.#doubles;
    if (job.watcher !== null) {
      how |= TIMED;
      doubles[QUEUED_AT / 8 + row] = now() + this.#clockOffset;
    }
    doubles[row * ROW_DOUBLES + NUMBER] = e.number;
    doubles[row * ROW_DOUBLES + DEADLINE] =
      job.operation.expiresAt + this.#clockOffset;
    const words = this.#words;
    const at = row * ROW_WORDS;
    words[at + SLOT] = job.slot;
    words[at + ENTRY] = job.entry.id;
    words[at + HOW] = how;
    this.#room -= 1;
    this.#tail = (this.#tail + 1) | 0;
    if (this.#lightFence) words[at + WRITTEN] = this.#tail;
    else store(words, at + WRITTEN, this.#tail);
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
    const doubles = this.#doubles;
    for (let i = 0; i < slotCount; i += 1) doubles[at + i] = slots[i];
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
    if (this.#room === 0) return false;
    // In the first milliseconds of a process it is not there yet.
    this.#lightFence ||= this.#hasLightFence();
    return true;
  }
}

module.exports = { SubmitRing };
