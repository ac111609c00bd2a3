'use strict';

const { charCodeAt, substring } = require('../protocol/codec/captured.js');
const { OwnSet } = require('./primordials.js');
const { isWord, skip } = require('./scan.js');

/**
 * @param {readonly string[]} words
 * @returns {Set<string>}
 */
function setOfWords(words) {
  const set = new OwnSet();
  for (const word of words) set.add(word);
  return set;
}

/**
 * @param {string} text
 * @param {(word: string, at: number) => boolean} fits
 * @returns {boolean} whether one of the text's words fits
 */
function someWord(text, fits) {
  let at = 0;
  while (at < text.length) {
    if (isWord(charCodeAt(text, at))) {
      const end = skip(text, at, isWord);
      if (fits(substring(text, at, end), at)) return true;
      at = end;
    }
    at += 1;
  }
  return false;
}

module.exports = { setOfWords, someWord };
