'use strict';

const { skip } = require('./scan.js');

const isBlank = (code) => code === 32;

// The place where the first line of a frame begins; -1 without one.
function firstFrame(stack) {
  let line = 0;
  do {
    const at = skip(stack, line, isBlank);
    if (at > line && stack.startsWith('at ', at)) return line;
    line = stack.indexOf('\n', line) + 1;
  } while (line > 0);
  return -1;
}

/** @returns {string | undefined} the stack's frames, without the message */
function framesOf(error) {
  try {
    const at = firstFrame(error.stack);
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
