'use strict';

const CHUNK = 1024;

/** A first-in-first-out queue whose `shift` costs the same at any length. */
class Fifo {
  #items = [];
  #head = 0;

  get length() {
    return this.#items.length - this.#head;
  }

  push(item) {
    this.#items.push(item);
  }

  /** Puts items back in front, in their order. */
  unshift(...items) {
    this.#items.splice(this.#head, 0, ...items);
  }

  peek() {
    return this.#items[this.#head];
  }

  shift() {
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head === this.#items.length) this.clear();
    // Trimming rarely keeps the cost per item constant.
    else if (this.#head > CHUNK && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  clear() {
    this.#items = [];
    this.#head = 0;
  }
}

module.exports = { Fifo };
