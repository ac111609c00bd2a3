'use strict';

const { OwnSet, matchOf } = require('./primordials.js');

// A run of word characters. One expression with all names would take more than
// a millisecond to compile, at the first job of a process.
const WORD = /\w+/g;

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
 * @param {(word: string, at: number) => boolean} fits must not call `someWord`
 * @returns {boolean} whether one of the text's words fits
 */
function someWord(text, fits) {
  WORD.lastIndex = 0;
  for (let word = matchOf(WORD, text); word !== null; ) {
    if (fits(word[0], word.index)) return true;
    word = matchOf(WORD, text);
  }
  return false;
}

module.exports = { setOfWords, someWord };
