'use strict';

/**
 * Gives an error a hint of its own in the place of its code's.
 *
 * @param {SloppyWorkerError} error
 * @param {string | undefined} hint nothing happens without one
 * @returns {SloppyWorkerError} the same
 */
function withHint(error, hint) {
  if (hint !== undefined && hint !== '') error.hint = hint;
  return error;
}

module.exports = { withHint };
