'use strict';

const { SloppyWorkerError } = require('../protocol/sloppy-worker-error.js');

/**
 * One captured stack is shared from the 32nd error on, because capturing
 * dominates when thousands of jobs are cancelled together.
 */
const MANY = 32;

/**
 * Makes the errors of one synchronous step that ends many jobs, such as the
 * cancellation of their signal. All have the same origin, so they can share a
 * stack.
 */
class SharedStack {
  #count = 0;
  #code;
  #stack;

  /**
   * @param {string} code
   * @param {string} [message]
   * @returns {SloppyWorkerError} a new one
   */
  error(code, message) {
    if (this.#stack !== undefined && code === this.#code) {
      return this.#alike(code, message);
    }
    const error = new SloppyWorkerError(code, message);
    this.#count += 1;
    if (this.#count === MANY) this.#share(error);
    return error;
  }

  #share(error) {
    try {
      const { stack } = error;
      // Error.prepareStackTrace may return something else,
      if (typeof stack !== 'string') return;
      this.#code = error.code;
      this.#stack = stack;
    } catch {
      // or throw.
    }
  }

  #alike(code, message) {
    const limit = Error.stackTraceLimit;
    try {
      Error.stackTraceLimit = 0;
    } catch {
      // Intrinsics may be frozen.
      return new SloppyWorkerError(code, message);
    }
    try {
      const error = new SloppyWorkerError(code, message);
      error.stack = this.#stack;
      return error;
    } finally {
      Error.stackTraceLimit = limit;
    }
  }
}

module.exports = { SharedStack };
