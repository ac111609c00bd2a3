'use strict';

const { append, bareList } = require('./bare.js');

const { splice } = Array.prototype;
const CHUNK = 1024;

/** A first-in-first-out queue whose `shift` costs the same at any length. */
class Fifo {
  #items = bareList();
  #head = 0;

  get length() {
    return this.#items.length - this.#head;
  }

  push(item) {
    append(this.#items, item);
  }

  /** Puts items back in front, in their order. */
  unshift(...items) {
    splice.call(this.#items, this.#head, 0, ...items);
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
      const left = bareList();
      while (this.#head < this.#items.length) {
        append(left, this.#items[this.#head++]);
      }
      this.#items = left;
      this.#head = 0;
    }
    return item;
  }

  clear() {
    this.#items = bareList();
    this.#head = 0;
  }
}

module.exports = { Fifo };
