'use strict';

const { brandClass } = require('./brand.js');
const { DIAGNOSTICS } = require('./diagnostics.gen.js');

const { hasOwn } = Object;

const ownRow = (code) =>
  hasOwn(DIAGNOSTICS, code) ? DIAGNOSTICS[code] : undefined;

/**
 * The one error class of the workers API. Match on `code`, not on the text.
 *
 * The message never holds payload values, cancellation reasons or the text of a
 * user's error; the value that the user's code threw is `cause`.
 */
class SloppyWorkerError extends Error {
  code;
  /**
   * Advice, or undefined for a code outside the table. An own property, because
   * consoles and crashes show those.
   */
  hint;

  /**
   * @param {string} code one of the 20 stable codes
   * @param {string} [message] default: the code's text in the diagnostic table
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message = ownRow(code)?.message, options = undefined) {
    super(`${code}: ${message}`, options ?? undefined);
    this.code = code;
    this.hint = ownRow(code)?.hint;
  }
}

brandClass(SloppyWorkerError, 'SloppyWorkerError');

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
