'use strict';

const { bareClass, bareList } = require('./bare.js');

// So many who left may be kept, besides as many as are there.
const SPARE = 512;

/**
 * Members in the order in which they joined, of whom most leave again before
 * anybody asks for them. Joining costs a store and leaving a number: the place
 * of one that left stays, and with it the member, until such places are more
 * than the others. A linked list costs both its neighbours, which are seldom
 * near each other, and where one of them is old, the collector's attention.
 *
 * Who inherits from it says who is still there: `has(member)`.
 */
class Roster {
  #places = bareList();
  #head = 0;
  #end = 0;
  #tidyAt = SPARE;
  size = 0;

  /** REQUIRES, as the others: whatever `has` looks at is up to date. */
  join(member) {
    if (this.#end === this.#tidyAt) this.#tidy();
    this.#places[this.#end] = member;
    this.#end += 1;
    this.size += 1;
  }

  /** One of them has left, whoever it was. */
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
   * The newest one changes places with those whom it should be before.
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

  /** Of the places from the first on, `kept` are taken. */
  #clear(kept) {
    for (let i = kept; i < this.#end; i++) this.#places[i] = null;
    this.#head = 0;
    this.#end = kept;
    this.#tidyAt = 2 * kept + SPARE;
  }
}

bareClass(Roster);

module.exports = { Roster };
