'use strict';
// Realms define their lazy globals, a twentieth of a realm's cost, for the
// first function that could reach one, by its name or by the global object. The
// realm itself detects the cases that the text does not show: code made of
// strings, and stacks (src/runtime/install-globals.js).

const { INTERFACES, OPERATIONS } = require('../protocol/global-names.js');
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

/**
 * @returns {boolean} whether a word names a lazy global or the global object
 */
const isGlobal = (word) => NAMES.has(word);

// The search in a longer text may take longer than defining them.
const MAX_LENGTH = 20_000;

/**
 * @param {string} source of a function
 * @returns {boolean} false if the function can reach none of them
 */
const namesGlobals = (source) =>
  source.length > MAX_LENGTH ||
  // An identifier may be written with escapes.
  source.includes('\\u') ||
  someWord(source, isGlobal);

module.exports = { isGlobal, namesGlobals };
