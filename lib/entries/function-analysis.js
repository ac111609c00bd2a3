'use strict';

const { isClosed } = require('./closed-function.js');
const { namesGlobals } = require('./names-globals.js');
const { freeze, matchOf } = require('../base/primordials.js');

/**
 * What of its realm a function can reach at most (job/entry_table.h): all of
 * it; all but the globals that realms define for those who may; nothing, and
 * it makes no object, as far as one can see.
 */
const Reach = freeze({ Globals: 0, BuiltIns: 1, Nothing: 2 });

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

module.exports = { Reach, reachOf };
