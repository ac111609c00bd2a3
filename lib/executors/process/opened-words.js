'use strict';
// The process's side of common-words.js.

const { closeSync } = require('node:fs');

const { AheadWords } = require('../owned/ahead-words.js');

/**
 * Closes the descriptor, which its jobs could reach.
 *
 * @param {string} addon its file
 * @param {number} file
 * @param {number} bytes
 * @returns {AheadWords} those of the owner, or without them others, by which no
 *   job begins ahead of its turn
 */
function openWords(addon, file, bytes) {
  let memory;
  try {
    memory = require(addon).openWords(file, bytes);
  } catch {
    // The addon is missing or forbidden here.
  }
  closeSync(file);
  const isCommon = memory !== undefined;
  return new AheadWords(memory ?? new SharedArrayBuffer(bytes), isCommon);
}

module.exports = { openWords };
