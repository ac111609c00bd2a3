'use strict';

const { bareClass, bareList } = require('../base/bare.js');

// Compact when dead entries exceed live ones by this many.
const SPARE = 512;

/**
 * A Roster of plain jobs with a limit or a signal. A member is two numbers,
 * which the garbage collector need not trace.
 */
class SlotRoster {
  #table;
  #slots = bareList();
  #serials = bareList();
  #head = 0;
  #end = 0;
  #tidyAt = SPARE;
  size = 0;

  /** @param {JobSlots} table its serials tell which members are left */
  constructor(table) {
    this.#table = table;
  }

  join(slot, serial) {
    if (this.#end === this.#tidyAt) this.#tidy();
    this.#slots[this.#end] = slot;
    this.#serials[this.#end] = serial;
    this.#end += 1;
    this.size += 1;
  }

  /** Records that one member left; the job table's serial tells which. */
  leave() {
    this.size -= 1;
    if (this.size === 0) this.#keep(0);
  }

  /** @returns {number} the oldest one's slot. REQUIRES: there are members. */
  first() {
    while (!this.#has(this.#head)) this.#head += 1;
    return this.#slots[this.#head];
  }

  #has(i) {
    return this.#table.serialOf(this.#slots[i]) === this.#serials[i];
  }

  #tidy() {
    let kept = 0;
    for (let i = this.#head; i < this.#end; i++) {
      if (!this.#has(i)) continue;
      this.#slots[kept] = this.#slots[i];
      this.#serials[kept] = this.#serials[i];
      kept += 1;
    }
    this.#keep(kept);
  }

  #keep(count) {
    this.#head = 0;
    this.#end = count;
    this.#tidyAt = 2 * count + SPARE;
  }
}

bareClass(SlotRoster);

module.exports = { SlotRoster };
