'use strict';

const { apply } = require('../base/primordials.js');

/**
 * The source of a job's streamed input. Nothing is opened before `next` is
 * called, so that the input of a job that never runs stays untouched. Only a
 * stream of Node's is always destroyed, because it may hold a descriptor from
 * its construction on.
 */
class InputSource {
  #input;
  #open;
  // An iterator, or the reader of a web stream, whose lock can be taken back
  // while it waits: an iterator's `return` would wait for that read.
  #iterator = null;
  #reader = null;
  #isOver = false;

  constructor(input, open) {
    this.#input = input;
    this.#open = open;
  }

  /**
   * @returns {Promise<IteratorResult> | IteratorResult}
   * @throws what opening or reading it throws
   */
  next() {
    if (this.#iterator === null && this.#reader === null) this.#start();
    return this.#reader === null ? this.#iterator.next() : this.#reader.read();
  }

  #start() {
    const input = this.#input;
    if (typeof input.getReader === 'function') {
      this.#reader = input.getReader();
    } else {
      this.#iterator = apply(this.#open, input, []);
    }
  }

  /** The source has ended by itself. */
  ended() {
    this.#isOver = true;
    this.#reader?.releaseLock();
  }

  /** Closes the source. Never rejects, because this does not affect the job. */
  async close() {
    if (this.#isOver) return;
    this.#isOver = true;
    // Deferred, because the caller's code must run after the job's end was
    // processed.
    await null;
    quietly(() => this.#input.destroy?.());
    if (this.#reader !== null) {
      quietly(() => this.#reader.cancel());
      quietly(() => this.#reader.releaseLock());
    } else if (this.#iterator !== null) {
      quietly(() => this.#iterator.return?.());
    }
  }
}

async function quietly(fn) {
  try {
    await fn();
  } catch {}
}

/**
 * @param {unknown} input of a job
 * @returns {InputSource | null} null if the input does not stream
 */
function sourceOf(input) {
  if (typeof input !== 'object' || input === null) return null;
  try {
    const open = input[Symbol.asyncIterator];
    return typeof open === 'function' ? new InputSource(input, open) : null;
  } catch {
    // The codec reports the error.
    return null;
  }
}

module.exports = { sourceOf };
