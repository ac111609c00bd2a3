'use strict';

const { bareClass, bareList } = require('./bare.js');

// Compact when dead entries exceed live ones by this many.
const SPARE = 512;

/**
 * Members in the order in which they joined. Most of them leave before they are
 * read. Joining is one store, and leaving decrements a number: the place and
 * its member stay until dead places outnumber live ones. A linked list would
 * write to both neighbours, which are seldom in the cache, and each write to an
 * old object costs a write barrier.
 *
 * Subclasses implement `has(member)`: whether it is still a member.
 */
class Roster {
  #places = bareList();
  #head = 0;
  #end = 0;
  #tidyAt = SPARE;
  size = 0;

  /** REQUIRES, as all methods do: the state that `has` reads is up to date. */
  join(member) {
    if (this.#end === this.#tidyAt) this.#tidy();
    this.#places[this.#end] = member;
    this.#end += 1;
    this.size += 1;
  }

  /** Records that one member left; `has` tells which. */
  leave() {
    this.size -= 1;
    if (this.size === 0) this.#clear(0);
  }

  /** @returns {object} the oldest. REQUIRES: there are members. */
  first() {
    while (!this.has(this.#places[this.#head])) {
      this.#places[this.#head] = null;
      this.#head += 1;
    }
    return this.#places[this.#head];
  }

  /**
   * Moves the newest member in front of those that it precedes.
   *
   * @param {(a: object, b: object) => boolean} isBefore
   */
  moveUp(isBefore) {
    const places = this.#places;
    let at = this.#end - 1;
    const member = places[at];
    while (at > this.#head && isBefore(member, places[at - 1])) {
      places[at] = places[at - 1];
      at -= 1;
    }
    places[at] = member;
  }

  #tidy() {
    const places = this.#places;
    let kept = 0;
    for (let i = this.#head; i < this.#end; i++) {
      const member = places[i];
      if (!this.has(member)) continue;
      places[kept] = member;
      kept += 1;
    }
    this.#clear(kept);
  }

  /** Empties all places but the first `kept`. */
  #clear(kept) {
    for (let i = kept; i < this.#end; i++) this.#places[i] = null;
    this.#head = 0;
    this.#end = kept;
    this.#tidyAt = 2 * kept + SPARE;
  }
}

bareClass(Roster);

module.exports = { Roster };
