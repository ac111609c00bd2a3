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
const { matchOf } = require('../base/primordials.js');
const { setOfWords, someWord } = require('../base/words.js');

const MAX_LENGTH = 2000;

// A function in parentheses with no parameter but the input.
const HEAD =
  /^\((?:async\s*)?(?:function\b[\w\s]*)?\(\s*(?:\{\s*input\s*,?\s*\}\s*,?\s*)?\)\s*(?:=>|\{)/;

// Any syntax but numbers, texts, operators, names, and a dot before a digit or
// after Math.
const OTHER_SYNTAX = /[^\w\s(){}<>=!+\-*/%&|^~?:;,.'"]|__|(?<!\bMath)\.(?!\d)/;

// Behind `Math`.
const MEMBER = /\.(\w+)(\(?)/y;
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
  MEMBER.lastIndex = at + 'Math'.length;
  const member = matchOf(MEMBER, source);
  if (member === null) return false;
  const { 1: name, 2: call } = member;
  return name === 'PI' || name === 'E' || (call !== '' && OF_MATH.has(name));
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
  matchOf(HEAD, source) !== null &&
  matchOf(OTHER_SYNTAX, source) === null &&
  !someWord(source, isForeignIn(source));

module.exports = { isClosed };
