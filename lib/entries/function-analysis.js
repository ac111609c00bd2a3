'use strict';

const { isClosed } = require('./closed-function.js');
const { namesGlobals } = require('./names-globals.js');
const { charCodeAt, textIndexOf } = require('../protocol/codec/captured.js');
const {
  BRACE,
  CLOSING_BRACE,
  beginsWord,
  skipSpaces,
  skipSpacesBack,
} = require('../base/scan.js');
const { includes, textStartsWith } = require('../base/primordials.js');
const { Reach } = require('../protocol/wire.gen.js');

// What may stand in front of an object: ( = , : ? & |
const BEFORE_OBJECT = [40, 61, 44, 58, 63, 38, 124];
const [CLOSING, COMMA] = [41, 44];

function skipComma(source, at) {
  const next = skipSpaces(source, at);
  return charCodeAt(source, next) === COMMA
    ? skipSpaces(source, next + 1)
    : next;
}

// Whether `input })` and a body follow an opening brace.
function isParameterList(source, at) {
  const name = skipSpaces(source, at);
  if (!textStartsWith(source, 'input', name)) return false;
  const end = skipComma(source, name + 'input'.length);
  if (charCodeAt(source, end) !== CLOSING_BRACE) return false;
  const closing = skipComma(source, end + 1);
  if (charCodeAt(source, closing) !== CLOSING) return false;
  const body = skipSpaces(source, closing + 1);
  return (
    charCodeAt(source, body) === BRACE || textStartsWith(source, '=>', body)
  );
}

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
    if (canBeginObject(source, brace) && !isParameterList(source, brace + 1)) {
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
