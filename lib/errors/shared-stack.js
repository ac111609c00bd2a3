'use strict';

const { SloppyWorkerError } = require('../protocol/sloppy-worker-error.js');

/** From then on one stack serves all: reading it costs as much as several. */
const MANY = 32;

/**
 * The errors of one synchronous act that ends many jobs, such as the
 * cancellation of their signal: all are thrown from the same place, and
 * capturing its stack for each costs more than all the rest.
 */
class Act {
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
      // What formats stacks here may make something else of them.
      if (typeof stack !== 'string') return;
      this.#code = error.code;
      this.#stack = stack;
    } catch {
      // Or throw.
    }
  }

  #alike(code, message) {
    const limit = Error.stackTraceLimit;
    try {
      Error.stackTraceLimit = 0;
    } catch {
      // Where intrinsics are frozen.
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

module.exports = { Act };
