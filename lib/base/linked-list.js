'use strict';

const { append, bareList } = require('./bare.js');

/**
 * A doubly linked list, first in first out, that threads its nodes' own `prev`
 * and `next`: adding, and removing from anywhere, are O(1) and allocate
 * nothing.
 *
 * A node is in at most one list at a time; the node's owner remembers which.
 * Both links are null while it is in none.
 */
class LinkedList {
  head = null;
  tail = null;
  size = 0;

  push(node) {
    node.prev = this.tail;
    if (this.tail === null) this.head = node;
    else this.tail.next = node;
    this.tail = node;
    this.size += 1;
  }

  /** The node becomes the first one. */
  unshift(node) {
    node.next = this.head;
    if (this.head === null) this.tail = node;
    else this.head.prev = node;
    this.head = node;
    this.size += 1;
  }

  /** REQUIRES: `node` is in this list. */
  remove(node) {
    const { prev, next } = node;
    if (prev === null) this.head = next;
    else prev.next = next;
    if (next === null) this.tail = prev;
    else next.prev = prev;
    node.prev = null;
    node.next = null;
    this.size -= 1;
  }

  /** @returns {object[]} oldest first; nodes may leave while it is walked */
  toArray() {
    const all = bareList();
    for (let node = this.head; node !== null; node = node.next) {
      append(all, node);
    }
    return all;
  }
}

module.exports = { LinkedList };
