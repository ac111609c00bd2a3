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

const { matchOf } = require('./primordials.js');

const MAX_LENGTH = 2000;

// Called with nothing but the input; in parentheses, which make an expression.
const HEAD =
  /^\((?:async\s*)?(?:function\b[\w\s]*)?\(\s*(?:\{\s*input\s*,?\s*\}\s*,?\s*)?\)\s*(?:=>|\{)/;

// Of numbers, texts, operators and names; a dot in front of a digit, or Math's.
const OTHER_SYNTAX = /[^\w\s(){}<>=!+\-*/%&|^~?:;,.'"]|(?<!\bMath)\.(?!\d)/;

// Math's functions are called, and only called; its constants cannot change.
const isFunction = (name) => typeof Math[name] === 'function';
const OF_MATH = Object.getOwnPropertyNames(Math).filter(isFunction).join('|');
const USE_OF_MATH = `Math\\.(?:(?:${OF_MATH})\\(|(?:E|PI)\\b)`;

const WORDS = [
  ...['arguments', 'await', 'class', 'debugger', 'delete', 'eval', 'export'],
  ...['extends', 'import', 'in', 'instanceof', 'new', 'super', 'this', 'with'],
  ...['yield'],
];
// Of the realm, where all of them are that V8 has here; whatever was deleted
// in this one.
const ITS_NAMES = [
  ...['constructor', 'prototype', 'console', 'decodeURI', 'decodeURIComponent'],
  ...['encodeURI', 'encodeURIComponent', 'escape', 'globalThis', 'isFinite'],
  ...['isNaN', 'parseFloat', 'parseInt', 'unescape'],
  ...Object.getOwnPropertyNames(globalThis),
  ...Object.getOwnPropertyNames(Object.prototype),
];
const isLowerCase = (name) => /^[a-z]\w*$/.test(name) && name !== 'input';
const FOREIGN_NAME = new RegExp(
  `\\b(?:${[...WORDS, ...ITS_NAMES.filter(isLowerCase)].join('|')})\\b|__|` +
    `(?<!\\bMath\\.)\\b(?!(?:NaN|Infinity)\\b|${USE_OF_MATH})[A-Z]`,
);

/**
 * @param {string} source of a function, as it travels (function-source.js)
 * @returns {boolean} false where in doubt
 */
const isClosed = (source) =>
  source.length <= MAX_LENGTH &&
  matchOf(HEAD, source) !== null &&
  matchOf(OTHER_SYNTAX, source) === null &&
  matchOf(FOREIGN_NAME, source) === null;

module.exports = { isClosed };
