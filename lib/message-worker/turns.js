'use strict';

const { Fifo } = require('../base/fifo.js');
const { nextTick, startImmediate } = require('../base/own-time.js');

/**
 * Calls functions in order, each in a turn of its own, so that the promises and
 * ticks of one run before the next. This is needed because Node empties the
 * port of an ended thread in a single turn.
 */
class Turns {
  #waiting = new Fifo();
  #taken = false;

  /** Calls `fn(...args)`, now if nothing was called in this turn yet. */
  add(fn, ...args) {
    if (this.#taken || this.#waiting.length > 0) {
      this.#waiting.push(() => fn(...args));
    } else this.#give(fn, args);
  }

  #give(fn, args) {
    // Set first, because the function may throw.
    this.#taken = true;
    nextTick(this.#free);
    fn(...args);
  }

  #free = () => {
    this.#taken = false;
    if (this.#waiting.length > 0) startImmediate(this.#next);
  };

  #next = () => this.#give(this.#waiting.shift(), []);
}

module.exports = { Turns };
