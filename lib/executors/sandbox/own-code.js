'use strict';

const { NOTHING } = require('../../wire/frames.js');
const { Kind } = require('./kinds.js');

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

/** The frames of one process about it. */
class CodeTalk {
  #code;
  #write;
  // The code that it tells, while it does.
  #told;

  /** @param {(kind: number, number: number, body: Uint8Array) => void} write */
  constructor(jit, write) {
    this.#code = OwnCode.of(jit);
    this.#write = write;
  }

  /** Before the process starts. */
  give() {
    for (const [number, bytes] of this.#code.known) {
      this.#write(Kind.Code, number, bytes);
    }
  }

  /** After that, and before anything of anybody's comes to it. */
  ask(talk) {
    if (!this.#code.ask()) return;
    this.#told = new Map();
    talk.asksCode();
    this.#write(Kind.AskCode, 0, NOTHING);
  }

  hear({ number, body, isLast }) {
    if (isLast) this.#answer(this.#told);
    else this.#told.set(number, Buffer.from(body));
  }

  /** The process has ended. */
  close() {
    if (this.#told !== undefined) this.#answer(undefined);
  }

  #answer(told) {
    this.#told = undefined;
    this.#code.answer(told);
  }
}

module.exports = { CodeTalk, OwnCode };
