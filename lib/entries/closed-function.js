'use strict';
// Which functions are closed: whatever they do, they reach nothing but a
// number, a text or the like that they are called with, and variables of their
// own. A worker may call one in a realm that has no runtime yet, because what
// the runtime takes from there is as it was (src/worker/worker_serving.cc).
//
// This looks at the text alone, comments and all, and refuses most functions:
// those that name a member of anything but Math, by a dot, a bracket or a
// pattern, because that could be an object that all share; or a variable that
// might not be theirs; or what makes code and objects of classes. Words that
// are forbidden are so in texts as well, which may be names in a pattern.

const { isGlobal } = require('./names-globals.js');
const { matchOf } = require('../base/primordials.js');
const { setOfWords, someWord } = require('../base/words.js');

const MAX_LENGTH = 2000;

// Called with nothing but the input; in parentheses, which make an expression.
const HEAD =
  /^\((?:async\s*)?(?:function\b[\w\s]*)?\(\s*(?:\{\s*input\s*,?\s*\}\s*,?\s*)?\)\s*(?:=>|\{)/;

// Of numbers, texts, operators and names; a dot in front of a digit, or Math's.
const OTHER_SYNTAX = /[^\w\s(){}<>=!+\-*/%&|^~?:;,.'"]|__|(?<!\bMath)\.(?!\d)/;

// Behind `Math`.
const MEMBER = /\.(\w+)(\(?)/y;
const isFunction = (name) => typeof Math[name] === 'function';
const OF_MATH = setOfWords(Object.getOwnPropertyNames(Math).filter(isFunction));

const FOREIGN = setOfWords([
  ...['arguments', 'await', 'class', 'debugger', 'delete', 'eval', 'export'],
  ...['extends', 'import', 'in', 'instanceof', 'new', 'super', 'this', 'with'],
  ...['yield', 'constructor', 'prototype'],
  // V8's of a realm, which has all that are here; whatever was deleted here.
  ...['console', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'escape'],
  ...['encodeURIComponent', 'globalThis', 'isFinite', 'isNaN', 'parseFloat'],
  ...['parseInt', 'unescape'],
  ...Object.getOwnPropertyNames(globalThis),
  ...Object.getOwnPropertyNames(Object.prototype),
]);
// A parameter's, and numbers that cannot be changed.
for (const name of ['input', 'undefined', 'NaN', 'Infinity']) {
  FOREIGN.delete(name);
}

// Math's functions are called, and only called; its constants cannot change.
function isUseOfMath(source, at) {
  MEMBER.lastIndex = at + 'Math'.length;
  const member = matchOf(MEMBER, source);
  if (member === null) return false;
  const { 1: name, 2: call } = member;
  return name === 'PI' || name === 'E' || (call !== '' && OF_MATH.has(name));
}

const isCapital = (word) =>
  word[0] >= 'A' && word[0] <= 'Z' && word !== 'NaN' && word !== 'Infinity';

// Words that no closed function has, where they stand.
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
