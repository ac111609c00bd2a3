'use strict';
// Memory that a process and its owner both write, by the addon, on Linux.

const { looseFunctions } = require('../../addon/load.js');
const { AheadWords } = require('../owned/ahead-words.js');

/**
 * @param {number} concurrentJobs of a process
 * @returns {{ file: number, words: AheadWords, close(): void } | undefined} the
 *   descriptor is for the process; undefined: there is no such memory
 */
function makeWords(concurrentJobs) {
  try {
    const native = looseFunctions();
    const made = native.makeWords(AheadWords.bytesFor(concurrentJobs));
    if (made === undefined) return undefined;
    const { file, memory } = made;
    const close = () => native.closeWords(file);
    return { file, words: new AheadWords(memory), close };
  } catch {
    // The addon is missing or forbidden.
    return undefined;
  }
}

module.exports = { makeWords };
