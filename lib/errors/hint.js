'use strict';

const { defineProperty } = Object;

/**
 * Gives an error a hint of its own in the place of its code's.
 *
 * @param {SloppyWorkerError} error
 * @param {string | undefined} hint nothing happens without one
 * @returns {SloppyWorkerError} the same
 */
function withHint(error, hint) {
  if (hint === undefined || hint === '') return error;
  return defineProperty(error, 'hint', {
    __proto__: null,
    value: hint,
    configurable: true,
    enumerable: false,
  });
}

module.exports = { withHint };
