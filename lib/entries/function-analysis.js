'use strict';

const { isClosed, isInputOnly } = require('./closed-function.js');
const { namesGlobals } = require('./names-globals.js');
const { charCodeAt, textIndexOf } = require('../protocol/codec/captured.js');
const { beginsWord, skipSpacesBack } = require('../base/scan.js');
const { includes, textStartsWith } = require('../base/primordials.js');
const { Reach } = require('../protocol/wire.gen.js');

// Characters that may stand in front of an object: ( = , : ? & |
const BEFORE_OBJECT = [40, 61, 44, 58, 63, 38, 124];

function canBeginObject(source, brace) {
  const end = skipSpacesBack(source, brace);
  if (end === 0) return false;
  if (includes(BEFORE_OBJECT, charCodeAt(source, end - 1))) return true;
  const word = end - 'return'.length;
  return (
    word >= 0 &&
    textStartsWith(source, 'return', word) &&
    beginsWord(source, word)
  );
}

// Syntax that makes an object, which the function may return and only the
// runtime can send. A parameter list does not match.
function makesObject(source) {
  let brace = textIndexOf(source, '{');
  for (; brace >= 0; brace = textIndexOf(source, '{', brace + 1)) {
    if (canBeginObject(source, brace) && !isInputOnly(source, brace)) {
      return true;
    }
  }
  return false;
}

/**
 * @param {string} source of a function, as it travels (function-source.js)
 * @returns {number} one of Reach
 */
function reachOf(source) {
  if (isClosed(source)) {
    return makesObject(source) ? Reach.BuiltIns : Reach.Nothing;
  }
  return source[0] !== '(' || namesGlobals(source)
    ? Reach.Globals
    : Reach.BuiltIns;
}

module.exports = { reachOf };
