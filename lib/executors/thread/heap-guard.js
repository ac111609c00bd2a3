'use strict';

/**
 * Called in a worker thread before the user's code. Node ends a thread whose
 * heap reaches its limit, but the whole process if the next allocation is
 * large; the addon always ends only the thread. Without the addon, or the
 * permission to load it, Node's behaviour remains.
 *
 * @param {string} file the addon's
 * @param {Int32Array} words shared with the owner
 * @param {number} at index of the word that becomes 1 at the limit
 */
function guardHeap(file, words, at) {
  try {
    require(file).guardHeap(words, at);
  } catch {
    // The addon is missing or forbidden.
  }
}

module.exports = { guardHeap };
