'use strict';
// Reading texts by their characters. Calls of the public methods use this and
// no regular expressions, because V8 compiles an expression when it is first
// executed, and again for the other width of texts: where the caller's stack
// ends then, Node 20 and 22 end the process.

const { charCodeAt, textIndexOf } = require('../protocol/codec/captured.js');

const [SPACE, SLASH, BACKSLASH, DOT, COLON, BRACE, CLOSING_BRACE] = [
  32, 47, 92, 46, 58, 123, 125,
];
const NBSP = 160;

const isDigit = (code) => code >= 48 && code <= 57;
const isSmall = (code) => code >= 97 && code <= 122;
const isLetter = (code) => isSmall(code) || (code >= 65 && code <= 90);
/** `\w` */
const isWord = (code) => isLetter(code) || isDigit(code) || code === 95;

const isWideSpace = (code) =>
  code === NBSP ||
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000 ||
  code === 0xfeff;

/** `\s` */
const isSpace = (code) =>
  code === SPACE ||
  (code >= 9 && code <= 13) ||
  (code >= NBSP && isWideSpace(code));

/** @returns {number} the first position from `at` on that does not fit */
function skip(text, at, fits) {
  let i = at;
  while (i < text.length && fits(charCodeAt(text, i))) i += 1;
  return i;
}

const skipSpaces = (text, at) => skip(text, at, isSpace);

/** @returns {number} the position after the last character before `end` that is no space */
function skipSpacesBack(text, end) {
  let i = end;
  while (i > 0 && isSpace(charCodeAt(text, i - 1))) i -= 1;
  return i;
}

/** Whether a part of word characters is a word from its beginning on. */
const beginsWord = (text, at) => at === 0 || !isWord(charCodeAt(text, at - 1));

/** Whether no word goes on at a position. */
const endsWord = (text, at) =>
  at >= text.length || !isWord(charCodeAt(text, at));

/** @returns {boolean} the part stands in the text where a word may begin */
function hasWord(text, part) {
  let at = textIndexOf(text, part);
  for (; at >= 0; at = textIndexOf(text, part, at + 1)) {
    if (beginsWord(text, at)) return true;
  }
  return false;
}

/** @returns {number} the first position of `?` or `#`, or the text's length */
function suffixAt(text) {
  const query = textIndexOf(text, '?');
  const hash = textIndexOf(text, '#');
  if (query < 0) return hash < 0 ? text.length : hash;
  return hash < 0 || query < hash ? query : hash;
}

const isOfScheme = (code) =>
  isLetter(code) || isDigit(code) || code === 43 || code === 45 || code === DOT;

/**
 * @returns {boolean} the text begins with a URL's scheme; one letter before the
 *   colon is a Windows drive
 */
function hasScheme(text) {
  if (text.length === 0 || !isLetter(charCodeAt(text, 0))) return false;
  const end = skip(text, 1, isOfScheme);
  return end >= 2 && charCodeAt(text, end) === COLON;
}

/** @returns {boolean} a path that begins with `.` or `..` as a folder */
function isDotted(text) {
  if (charCodeAt(text, 0) !== DOT) return false;
  const end = charCodeAt(text, 1) === DOT ? 2 : 1;
  const code = charCodeAt(text, end);
  return end === text.length || code === SLASH || code === BACKSLASH;
}

module.exports = {
  BRACE,
  CLOSING_BRACE,
  DOT,
  beginsWord,
  endsWord,
  hasScheme,
  hasWord,
  isDigit,
  isDotted,
  isLetter,
  isSmall,
  isSpace,
  isWord,
  skip,
  skipSpaces,
  skipSpacesBack,
  suffixAt,
};
