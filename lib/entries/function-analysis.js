'use strict';

const { isClosed } = require('./closed-function.js');
const { namesGlobals } = require('./names-globals.js');
const { matchOf } = require('../base/primordials.js');
const { Reach } = require('../protocol/wire.gen.js');

// Syntax that makes an object, which the function may return and only the
// runtime can send. A parameter list does not match.
const OBJECT =
  /(?:[(=,:?&|]|\breturn)\s*\{(?!\s*input\s*,?\s*\}\s*,?\s*\)\s*(?:=>|\{))/;

/**
 * @param {string} source of a function, as it travels (function-source.js)
 * @returns {number} one of Reach
 */
function reachOf(source) {
  if (isClosed(source)) {
    return matchOf(OBJECT, source) === null ? Reach.Nothing : Reach.BuiltIns;
  }
  return source[0] !== '(' || namesGlobals(source)
    ? Reach.Globals
    : Reach.BuiltIns;
}

module.exports = { reachOf };
