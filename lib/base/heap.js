'use strict';

const { append, bareClass, bareList, takeLast } = require('./bare.js');

/**
 * A binary heap whose items know their places, in their own `heapIndex`:
 * adding, and removing from anywhere, are O(log n). An item is in at most one
 * heap at a time.
 */
class Heap {
  #items = bareList();
  #isBefore;

  /** @param {(a: object, b: object) => boolean} isBefore a strict total order */
  constructor(isBefore) {
    this.#isBefore = isBefore;
  }

  get size() {
    return this.#items.length;
  }

  /** @returns {object | undefined} undefined if there is none */
  get first() {
    return this.#items[0];
  }

  push(item) {
    append(this.#items, item);
    this.#siftUp(item, this.#items.length - 1);
  }

  /** @returns {object} the first. REQUIRES: `size > 0` */
  shift() {
    const { first } = this;
    this.remove(first);
    return first;
  }

  /** REQUIRES: `item` is in this heap. */
  remove(item) {
    const index = item.heapIndex;
    const items = this.#items;
    const last = takeLast(items);
    if (last === item) return;
    if (index > 0 && this.#isBefore(last, items[(index - 1) >> 1])) {
      this.#siftUp(last, index);
    } else {
      this.#siftDown(last, index);
    }
  }

  #place(item, index) {
    this.#items[index] = item;
    item.heapIndex = index;
  }

  #siftUp(item, start) {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(item, this.#items[parent])) break;
      this.#place(this.#items[parent], index);
      index = parent;
    }
    this.#place(item, index);
  }

  #siftDown(item, start) {
    const items = this.#items;
    let index = start;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      if (
        child + 1 < items.length &&
        this.#isBefore(items[child + 1], items[child])
      ) {
        child += 1;
      }
      if (!this.#isBefore(items[child], item)) break;
      this.#place(items[child], index);
      index = child;
    }
    this.#place(item, index);
  }
}

bareClass(Heap);

module.exports = { Heap };
