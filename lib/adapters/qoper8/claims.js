'use strict';

// Decides between worker and owner about a message that was sent ahead. The
// worker claims it before handling it. Until then the owner may take it back,
// even from a worker that computes without a pause. Both use the same shared
// memory; a slot holds twice the number of its message.

const SLOTS = 1024;
const MASK = SLOTS - 1;
const OFFERED = 0;
const CLAIMED = 1;

const state = (no, what) => (no << 1) | what | 0;

/** The owner's side, which numbers the messages of one worker from 1. */
class Offers {
  buffer = new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT);
  #slots = new Int32Array(this.buffer);
  #last = 0;

  /** Opens a slot, of at most SLOTS. @returns {number} the message's number */
  offer() {
    const no = ++this.#last;
    Atomics.store(this.#slots, no & MASK, state(no, OFFERED));
    return no;
  }

  /** @returns {boolean} whether the worker will never handle the message */
  takeBack(no) {
    return take(this.#slots, no);
  }
}

/**
 * The worker's side.
 *
 * @param {SharedArrayBuffer} buffer
 * @returns {(no: number) => boolean} whether the worker may handle a message
 */
function claimsOver(buffer) {
  const slots = new Int32Array(buffer);
  return (no) => take(slots, no);
}

function take(slots, no) {
  const offered = state(no, OFFERED);
  const claimed = state(no, CLAIMED);
  const slot = no & MASK;
  return Atomics.compareExchange(slots, slot, offered, claimed) === offered;
}

module.exports = { Offers, claimsOver };
