'use strict';

/** @returns {string | undefined} where it was thrown, without its message */
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
 * Tells the operator that code of the caller has thrown where nobody could
 * take the error. The error's message is left out, because it may hold values.
 *
 * @param {string} code of the warning
 * @param {string} text
 * @param {unknown} error only its frames are shown
 */
function warnOf(code, text, error) {
  try {
    process.emitWarning(text, {
      type: 'SloppyWorkersWarning',
      code,
      detail: framesOf(error),
    });
  } catch {
    // Who replaced it gets no warnings.
  }
}

module.exports = { warnOf };
