'use strict';

/**
 * Replaces the hint that an error has by its code.
 *
 * @param {SloppyWorkerError} error
 * @param {string | undefined} hint undefined and '' change nothing
 * @returns {SloppyWorkerError} the same
 */
function withHint(error, hint) {
  if (hint !== undefined && hint !== '') error.hint = hint;
  return error;
}

module.exports = { withHint };
