'use strict';

let allowed;

/**
 * @returns {boolean} true if code may be made from text; false in a process
 *   started with `--disallow-code-generation-from-strings`
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
