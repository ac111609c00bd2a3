'use strict';

const { brandClass } = require('./brand.js');
const { DIAGNOSTICS } = require('./diagnostics.gen.js');
const {
  Trace,
  define,
  frameLimit,
  inspectOnce,
  limitFrames,
} = require('./hinted-stack.js');
const { watchUncaught } = require('./uncaught-hint.js');

const { captureStackTrace } = Error;
const { defineProperty, hasOwn } = Object;

const ownRow = (code) =>
  hasOwn(DIAGNOSTICS, code) ? DIAGNOSTICS[code] : undefined;

/**
 * The one error class of the workers API. Match on `code`, not on the text.
 *
 * The message never holds payload values, cancellation reasons or the text of a
 * user's error; the value that the user's code threw is `cause`.
 */
class SloppyWorkerError extends Error {
  // Shared, because closures for each error would double its cost.
  static #stack = {
    __proto__: null,
    // An object that inherits from an error has no stack, as without ours.
    get() {
      return #trace in this ? this.#trace.stack : undefined;
    },
    set(stack) {
      define(this, 'stack', stack);
    },
    enumerable: false,
    configurable: true,
  };

  #trace;
  code;
  /**
   * Advice, or undefined for a code outside the table. An own property, because
   * loggers and crashes show those. The stack's header has it too.
   */
  hint;

  /**
   * @param {string} code one of the 20 stable codes
   * @param {string} [message] default: the code's text in the diagnostic table
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message = ownRow(code)?.message, options = undefined) {
    const text = `${code}: ${message}`;
    const limit = frameLimit();
    // The frames are captured once, below.
    const isLimited = limitFrames(0);
    try {
      super(text, options ?? undefined);
    } finally {
      if (isLimited) limitFrames(limit);
    }
    this.code = code;
    this.hint = ownRow(code)?.hint;
    // The stack is the message only without frames, and costs nothing.
    if (limit === 0) return;
    watchUncaught();
    this.#trace = new Trace(this);
    captureStackTrace(this.#trace, new.target);
    // Old engines would format the stack that is replaced by a definition, with
    // Error.prepareStackTrace, which may throw.
    this.stack = '';
    defineProperty(this, 'stack', SloppyWorkerError.#stack);
  }
}

brandClass(SloppyWorkerError, 'SloppyWorkerError');
inspectOnce(SloppyWorkerError);

/**
 * Builds an error of the diagnostic table.
 *
 * @param {string} code
 * @param {string} [message] default: the code's text in the table
 * @param {{ cause?: unknown }} [options]
 * @returns {SloppyWorkerError}
 */
function workerError(code, message, options) {
  return new SloppyWorkerError(code, message, options);
}

module.exports = { SloppyWorkerError, workerError };
