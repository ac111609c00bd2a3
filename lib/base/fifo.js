'use strict';

const { setPrototypeOf } = Object;
const RealmArray = Array;

const LEAST = 16;
// A ring of more places than this shrinks again after a burst.
const KEPT = 4096;

/**
 * Makes a ring of empty places, a power of two. All rings have one elements
 * kind, so that code optimized for one ring holds for the next. The ring has no
 * prototype, see bare.js.
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

  // The ring is halved only when it is a quarter full, because with a half,
  // growing and shrinking in turn would copy each time.
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
