'use strict';
// Realms define their lazy globals, a twentieth of what a realm costs, when
// the first function comes that could reach one: by its name, or by the global
// object. What the text does not show, the realm finds out itself: code made of
// strings, and stacks (src/runtime/install-globals.js).

const { INTERFACES, OPERATIONS } = require('./global-names.js');
const { matchOf } = require('./primordials.js');

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
const NAMES = [
  ...Object.values(INTERFACES).flat(),
  ...Object.values(OPERATIONS).flat(),
  ...OTHERS,
];
// An identifier may be written with escapes.
const ANY = new RegExp(`\\b(?:${NAMES.join('|')})\\b|\\\\u`);
// Beyond that, looking may take longer than defining.
const MAX_LENGTH = 20_000;

/**
 * @param {string} source of a function
 * @returns {boolean} false: whatever it does, it reaches none of them
 */
const namesGlobals = (source) =>
  source.length > MAX_LENGTH || matchOf(ANY, source) !== null;

module.exports = { namesGlobals };
