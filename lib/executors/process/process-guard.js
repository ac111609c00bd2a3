'use strict';

const { OVER_LIMIT } = require('./child-end.js');

/**
 * Called in a process before the user's code: it ends when its heap reaches its
 * limit, where V8 would abort, and on Linux with its owner, also in the middle
 * of an endless loop. Without the addon, or the permission to load it, neither
 * is so.
 *
 * @param {string} file the addon's
 * @param {number} owner its process
 * @returns {boolean} whether it ends with its owner
 */
function guardProcess(file, owner) {
  try {
    return require(file).guardProcess(owner, OVER_LIMIT);
  } catch {
    // The addon is missing or forbidden.
    return false;
  }
}

module.exports = { guardProcess };
