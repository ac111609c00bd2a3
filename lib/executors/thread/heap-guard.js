'use strict';

/**
 * In a worker thread, before code of the user's. Node ends a thread whose heap
 * reaches its limit, but the whole process when what is allocated next is
 * large; the addon ends the thread. Without it, or the permission to load it,
 * what Node does must do.
 *
 * @param {string} file the addon's
 * @param {Int32Array} words shared with the owner
 * @param {number} at which of them is 1 when the limit was reached
 */
function guardHeap(file, words, at) {
  try {
    require(file).guardHeap(words, at);
  } catch {
    // As said.
  }
}

module.exports = { guardHeap };
