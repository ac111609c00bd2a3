'use strict';
// Decides whether a function is closed: it can reach only its input, a
// primitive, and its own variables. A worker may call a closed function in a
// realm that has no runtime yet, because the function cannot change the
// built-ins that the runtime captures later (src/worker/worker_serving.cc).
//
// Only the text is read, with its comments, and most functions are refused. A
// member of anything but Math is refused, because it could belong to a shared
// object. So is a variable that might not be the function's own, and syntax
// that makes code or classes. A forbidden word is refused inside string
// literals too, because they may be names in a pattern.

const { isGlobal } = require('./names-globals.js');
const { charCodeAt, substring } = require('../protocol/codec/captured.js');
const { textStartsWith } = require('../base/primordials.js');
const {
  BRACE,
  CLOSING_BRACE,
  DOT,
  beginsWord,
  endsWord,
  isDigit,
  isSpace,
  isWord,
  skip,
  skipSpaces,
} = require('../base/scan.js');
const { setOfWords, someWord } = require('../base/words.js');

const MAX_LENGTH = 2000;

const [OPENING, CLOSING, COMMA, UNDERSCORE] = [40, 41, 44, 95];
const isOfName = (code) => isWord(code) || isSpace(code);
const isAt = (source, at, part) => textStartsWith(source, part, at);

function skipComma(source, at) {
  const next = skipSpaces(source, at);
  return charCodeAt(source, next) === COMMA
    ? skipSpaces(source, next + 1)
    : next;
}

// Behind `async`, and behind `function` and its name.
function skipKeywords(source, at) {
  const next = isAt(source, at, 'async') ? skipSpaces(source, at + 5) : at;
  return isAt(source, next, 'function') && endsWord(source, next + 8)
    ? skip(source, next + 8, isOfName)
    : next;
}

// Behind `{ input }`; -1 for another pattern.
function skipPattern(source, at) {
  if (charCodeAt(source, at) !== BRACE) return at;
  const name = skipSpaces(source, at + 1);
  if (!isAt(source, name, 'input')) return -1;
  const end = skipComma(source, name + 'input'.length);
  return charCodeAt(source, end) === CLOSING_BRACE
    ? skipComma(source, end + 1)
    : -1;
}

/**
 * Whether the rest of a parameter list, which has nothing but `{ input }`, and
 * a body follow.
 *
 * @param {string} source
 * @param {number} at
 */
function isInputOnly(source, at) {
  const end = skipPattern(source, at);
  if (charCodeAt(source, end) !== CLOSING) return false;
  const body = skipSpaces(source, end + 1);
  return charCodeAt(source, body) === BRACE || isAt(source, body, '=>');
}

// A function in parentheses with no parameter but the input.
function isOfInput(source) {
  if (charCodeAt(source, 0) !== OPENING) return false;
  const list = skipKeywords(source, 1);
  if (charCodeAt(source, list) !== OPENING) return false;
  return isInputOnly(source, skipSpaces(source, list + 1));
}

const OPERATORS = `(){}<>=!+-*/%&|^~?:;,.'"`;
const IS_OPERATOR = new Uint8Array(128);
for (const each of OPERATORS) IS_OPERATOR[each.charCodeAt(0)] = 1;

const isAfterMath = (source, at) =>
  at >= 4 && isAt(source, at - 4, 'Math') && beginsWord(source, at - 4);

// Any syntax but numbers, texts, operators, names, and a dot before a digit or
// after Math.
function hasOtherSyntax(source) {
  for (let i = 0; i < source.length; i += 1) {
    const code = charCodeAt(source, i);
    if (isWord(code)) {
      if (code === UNDERSCORE && charCodeAt(source, i + 1) === UNDERSCORE)
        return true;
    } else if (code === DOT) {
      if (!isDigit(charCodeAt(source, i + 1)) && !isAfterMath(source, i))
        return true;
    } else if (!(code < 128 && IS_OPERATOR[code] === 1) && !isSpace(code)) {
      return true;
    }
  }
  return false;
}

const isFunction = (name) => typeof Math[name] === 'function';
const OF_MATH = setOfWords(Object.getOwnPropertyNames(Math).filter(isFunction));

const FOREIGN = setOfWords([
  ...['arguments', 'await', 'class', 'debugger', 'delete', 'eval', 'export'],
  ...['extends', 'import', 'in', 'instanceof', 'new', 'super', 'this', 'with'],
  ...['yield', 'constructor', 'prototype'],
  // V8's globals of a realm, which has all that exist here. The literal names
  // are added in case they were deleted here.
  ...['console', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'escape'],
  ...['encodeURIComponent', 'globalThis', 'isFinite', 'isNaN', 'parseFloat'],
  ...['parseInt', 'unescape'],
  ...Object.getOwnPropertyNames(globalThis),
  ...Object.getOwnPropertyNames(Object.prototype),
]);
// The parameter's name, and constants that cannot be changed.
for (const name of ['input', 'undefined', 'NaN', 'Infinity']) {
  FOREIGN.delete(name);
}

// Math's functions may only be called; its constants cannot change.
function isUseOfMath(source, at) {
  const dot = at + 'Math'.length;
  if (charCodeAt(source, dot) !== DOT) return false;
  const end = skip(source, dot + 1, isWord);
  const name = substring(source, dot + 1, end);
  const isCall = charCodeAt(source, end) === OPENING;
  return name === 'PI' || name === 'E' || (isCall && OF_MATH.has(name));
}

const isCapital = (word) =>
  word[0] >= 'A' && word[0] <= 'Z' && word !== 'NaN' && word !== 'Infinity';

// Whether a word at a position occurs in no closed function.
const isForeignIn = (source) => (word, at) => {
  if (word === 'Math') return !isUseOfMath(source, at);
  const isMember = source[at - 1] === '.';
  if (isMember) return false;
  return isCapital(word) || FOREIGN.has(word) || isGlobal(word);
};

/**
 * @param {string} source of a function, as it travels (function-source.js)
 * @returns {boolean} false where in doubt
 */
const isClosed = (source) =>
  source.length <= MAX_LENGTH &&
  isOfInput(source) &&
  !hasOtherSyntax(source) &&
  !someWord(source, isForeignIn(source));

module.exports = { isClosed, isInputOnly };
