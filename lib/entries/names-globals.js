'use strict';
// Realms define their lazy globals, a twentieth of what a realm costs, when
// the first function comes that could reach one: by its name, or by the global
// object. What the text does not show, the realm finds out itself: code made of
// strings, and stacks (src/runtime/install-globals.js).

const { INTERFACES, OPERATIONS } = require('../protocol/global-names.js');
const { textIncludes } = require('../base/primordials.js');
const { setOfWords, someWord } = require('../base/words.js');

const OTHERS = [
  'global',
  'globalThis',
  'import',
  'onerror',
  'onrejectionhandled',
  'onunhandledrejection',
  'self',
  'this',
];
const NAMES = setOfWords([
  ...Object.values(INTERFACES).flat(),
  ...Object.values(OPERATIONS).flat(),
  ...OTHERS,
]);

/** @returns {boolean} whether a word is the name of one, or of all of them */
const isGlobal = (word) => NAMES.has(word);

// Beyond that, looking may take longer than defining.
const MAX_LENGTH = 20_000;

/**
 * @param {string} source of a function
 * @returns {boolean} false: whatever it does, it reaches none of them
 */
const namesGlobals = (source) =>
  source.length > MAX_LENGTH ||
  // An identifier may be written with escapes.
  textIncludes(source, '\\u') ||
  someWord(source, isGlobal);

module.exports = { isGlobal, namesGlobals };
