'use strict';

const { isClosed } = require('./closed-function.js');
const { namesGlobals } = require('./names-globals.js');
const { matchOf } = require('../base/primordials.js');
const { Reach } = require('../protocol/wire.gen.js');

// What makes one may return it, which only the runtime can send.
// Not the parameter of a function.
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
