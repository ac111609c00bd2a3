'use strict';

/** @returns {Function | null} null with --disallow-code-generation-from-strings */
function compileFunction(parameter, body) {
  try {
    return new Function(parameter, body);
  } catch {
    return null;
  }
}

module.exports = { compileFunction };
