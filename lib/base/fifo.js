'use strict';

const { setPrototypeOf } = Object;
const RealmArray = Array;

const LEAST = 16;
// What one burst has left is given back when it was more than this.
const KEPT = 4096;

/**
 * As many empty places, a power of two. One kind of array, whatever is put in:
 * code that V8 has optimized for one ring holds for the next. Without a
 * prototype, as bare.js has it.
 */
function ringOf(places) {
  const ring = setPrototypeOf(new RealmArray(places), null);
  for (let i = 0; i < places; i++) ring[i] = undefined;
  return ring;
}

/** A queue whose `push`, `shift` and `pop` cost the same at any length. */
class Fifo {
  length = 0;
  #ring = ringOf(LEAST);
  #head = 0;

  push(item) {
    if (this.length === this.#ring.length) this.#grow();
    const ring = this.#ring;
    ring[(this.#head + this.length) & (ring.length - 1)] = item;
    this.length++;
  }

  /** Puts items back in front, in their order. */
  unshift(...items) {
    for (let i = items.length - 1; i >= 0; i--) {
      if (this.length === this.#ring.length) this.#grow();
      this.#head = (this.#head - 1) & (this.#ring.length - 1);
      this.#ring[this.#head] = items[i];
      this.length++;
    }
  }

  /** @returns {unknown} the first one; undefined when there is none */
  peek() {
    return this.#ring[this.#head];
  }

  /** @returns {unknown} the last one; undefined when there is none */
  last() {
    const ring = this.#ring;
    return ring[(this.#head + this.length - 1) & (ring.length - 1)];
  }

  shift() {
    const ring = this.#ring;
    const item = ring[this.#head];
    if (this.length === 0) return item;
    ring[this.#head] = undefined;
    this.#head = (this.#head + 1) & (ring.length - 1);
    this.length--;
    if (ring.length > KEPT) this.#shrink();
    return item;
  }

  /** Takes the last one. */
  pop() {
    if (this.length === 0) return undefined;
    const ring = this.#ring;
    this.length--;
    const at = (this.#head + this.length) & (ring.length - 1);
    const item = ring[at];
    ring[at] = undefined;
    if (ring.length > KEPT) this.#shrink();
    return item;
  }

  clear() {
    this.#ring = ringOf(LEAST);
    this.#head = 0;
    this.length = 0;
  }

  #grow() {
    this.#move(this.#ring.length * 2);
  }

  // A quarter is what makes it smaller by half: growing and shrinking in turn
  // would copy each time.
  #shrink() {
    if (this.length === 0) this.clear();
    else if (this.length * 4 <= this.#ring.length) {
      this.#move(this.#ring.length / 2);
    }
  }

  #move(places) {
    const ring = this.#ring;
    const other = ringOf(places);
    for (let i = 0; i < this.length; i++) {
      other[i] = ring[(this.#head + i) & (ring.length - 1)];
    }
    this.#ring = other;
    this.#head = 0;
  }
}

module.exports = { Fifo };
