'use strict';

// By whether there is `jit`, because V8 compiles for the one or the other.
const codes = new Map();

/**
 * The compiled runtime of sandboxes, which takes a third of a start: the first
 * process tells its own before anybody's code has come to it, and later ones
 * begin with that.
 */
class OwnCode {
  #known;
  #isAsked = false;

  /** @returns {OwnCode} that of all pools of this thread */
  static of(jit) {
    if (!codes.has(jit)) codes.set(jit, new OwnCode());
    return codes.get(jit);
  }

  /** @returns {Map<number, Buffer>} by the numbers of sources; empty: unknown */
  get known() {
    return this.#known ?? new Map();
  }

  /** @returns {boolean} whether the process that starts now is to tell it */
  ask() {
    if (this.#isAsked || this.#known !== undefined) return false;
    this.#isAsked = true;
    return true;
  }

  /** @param {Map<number, Buffer>} [told] undefined: the process has ended before */
  answer(told) {
    this.#isAsked = false;
    this.#known = told;
  }
}

module.exports = { OwnCode };
