'use strict';

let allowed;

/**
 * @returns {boolean} whether `eval` works here: a process that was started with
 *   `--disallow-code-generation-from-strings` wants it nowhere
 */
function allowsCodeFromText() {
  allowed ??= compiles();
  return allowed;
}

function compiles() {
  try {
    return typeof new Function() === 'function';
  } catch {
    return false;
  }
}

module.exports = { allowsCodeFromText };
