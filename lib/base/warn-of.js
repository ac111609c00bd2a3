'use strict';

/** @returns {string | undefined} the stack's frames, without the message */
function framesOf(error) {
  try {
    const at = error.stack.search(/^ +at /m);
    return at < 0 ? undefined : error.stack.slice(at);
  } catch {
    // Thrown values can be anything.
    return undefined;
  }
}

/**
 * Emits a warning for an error of the caller's code that no caller could
 * receive. The error's message is left out, because it may hold values.
 *
 * @param {string} code of the warning
 * @param {string} text
 * @param {unknown} error only its frames are shown
 */
function warnOf(code, text, error) {
  try {
    process.emitWarning(text, {
      __proto__: null,
      type: 'SloppyWorkersWarning',
      code,
      detail: framesOf(error),
    });
  } catch {
    // `process.emitWarning` was replaced.
  }
}

module.exports = { warnOf };
