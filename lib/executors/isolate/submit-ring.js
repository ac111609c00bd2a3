'use strict';

const { Float64, Octets } = require('../../protocol/codec/captured.js');
const { now } = require('../../base/primordials.js');
const { JobMode, RingLayout, Small } = require('../../protocol/wire.gen.js');

const {
  BodyAt,
  BodySlots: BODY,
  EntryAt: ENTRY_BIT,
  KindAt: KIND_BIT,
  LapBit: LAP_BIT,
  MostUrgent: MOST_URGENT,
  PriorityAt: PRIORITY_BIT,
  RowBytes: ROW_BYTES,
  Rows: ROWS,
} = RingLayout;
const { Slots: MAX_SLOTS, TextBytes: MAX_TEXT, TextUnit: TEXT_UNIT } = Small;
// The block of src/pool/submit_ring.h. In bytes:
const BODIES_AT = ROWS * ROW_BYTES;
const QUEUED_AT = BODIES_AT + ROWS * BODY * 8;
const LIMITS_AT = QUEUED_AT + ROWS * 8;
const READ_AT = LIMITS_AT + ROWS * 8;
// The places in words, each on a cache line of its own:
const READ = READ_AT / 4;
const ATTEND = READ + 16;
// The places in a row's words:
const ROW_WORDS = ROW_BYTES / 4;
const WHAT = 2;
const WRITTEN = 3;
// The number of a row's doubles:
const ROW_DOUBLES = ROW_BYTES / 8;
// The bits of WHAT:
const SLOT_BITS = KIND_BIT;
const TIMED = 1 << RingLayout.TimedAt;
const LIMITED = 1 << RingLayout.LimitedAt;
const SIGNALLED = 1 << RingLayout.SignalledAt;
const BODIED = 1 << BodyAt;
// The bits of WRITTEN:
const ENTRY_BITS = 32 - ENTRY_BIT;

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
   * @param {() => boolean} hasLightFence whether plain stores suffice from now
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
   * @returns {boolean} false if the job has to be submitted by a call
   */
  push(job, e) {
    if (
      (job.mode & ~JobMode.Signalled) !== 0 ||
      job.priority < MOST_URGENT ||
      (job.metrics !== null && job.metrics.bits !== JobMode.Timed) ||
      !this.#hasRoom()
    ) {
      return false;
    }
    let what = (job.priority - MOST_URGENT) << PRIORITY_BIT;
    if (job.mode !== 0) what |= SIGNALLED;
    what |= this.#limit(job.operation.expiresAt);
    if (job.metrics !== null) {
      const row = this.#tail & (ROWS - 1);
      what |= TIMED;
      this.#doubles[QUEUED_AT / 8 + row] = now() + this.#clockOffset;
    }
    return this.#write(job.slot, job.entry.id, e, what);
  }

  /** The same for a plain job. */
  pushPlain(slot, entry, e) {
    return this.#hasRoom() && this.#write(slot, entry, e, 0);
  }

  /**
   * The same for a plain job with a limit or a signal.
   *
   * @param {number} slot
   * @param {number} entry
   * @param {object} e its encoding
   * @param {number} mode 0 or JobMode.Signalled
   * @param {number} expiresAt Infinity for never
   */
  pushWatched(slot, entry, e, mode, expiresAt) {
    if (!this.#hasRoom()) return false;
    const signalled = mode === 0 ? 0 : SIGNALLED;
    return this.#write(slot, entry, e, signalled | this.#limit(expiresAt));
  }

  #limit(expiresAt) {
    if (expiresAt === Infinity) return 0;
    const row = this.#tail & (ROWS - 1);
    this.#doubles[LIMITS_AT / 8 + row] = expiresAt + this.#clockOffset;
    return LIMITED;
  }

  // REQUIRES: the ring has room.
  #write(slot, entry, e, more) {
    if (
      e.more !== undefined ||
      slot >>> SLOT_BITS !== 0 ||
      entry >>> ENTRY_BITS !== 0
    ) {
      return false;
    }
    const row = this.#tail & (ROWS - 1);
    let what = slot | (e.kind << KIND_BIT) | more;
    let { number } = e;
    if (e.slotCount !== 0 || e.text !== undefined) {
      number = this.#writeBody(BODIES_AT / 8 + row * BODY, e);
      if (number < 0) return false;
      what |= BODIED;
    }
    this.#finish(row, number, what, entry);
    return true;
  }

  #finish(row, number, what, entry) {
    const words = this.#words;
    const at = row * ROW_WORDS;
    this.#doubles[row * ROW_DOUBLES] = number;
    words[at + WHAT] = what;
    const lap = ((this.#tail >>> LAP_BIT) + 1) & 0xff;
    const written = (entry << ENTRY_BIT) | lap;
    if (this.#lightFence) words[at + WRITTEN] = written;
    else store(words, at + WRITTEN, written);
    this.#room -= 1;
    this.#tail = (this.#tail + 1) | 0;
  }

  #hasRoom() {
    return this.#room !== 0 || this.#findRoom();
  }

  /** Whether a worker must be woken or started for the pushed rows. */
  get wantsKick() {
    const words = this.#words;
    // Compilers neither move nor merge plain accesses to typed arrays, which
    // may overlap; Atomics.load is a call that they do not inline.
    return (this.#lightFence ? words[ATTEND] : load(words, ATTEND)) !== 0;
  }

  // Returns slots and length of the text in one number, or -1.
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
    return slotCount + length * TEXT_UNIT;
  }

  #findRoom() {
    this.#room = ROWS - ((this.#tail - load(this.#words, READ)) | 0);
    if (this.#room === 0) return false;
    // The light fence becomes available in the first milliseconds of a process.
    this.#lightFence ||= this.#hasLightFence();
    return true;
  }
}

module.exports = { SubmitRing };
