'use strict';

let isMarked;

/**
 * Whether Node, or a user of its `markAsUntransferable`, wants to keep a buffer
 * where it is: first of all the slab that small `Buffer`s share, without which
 * the process could make no others.
 *
 * @param {ArrayBuffer} buffer
 * @returns {boolean}
 */
function isUntransferable(buffer) {
  // Loaded by the first call: most processes transfer nothing.
  isMarked ??=
    require('node:worker_threads').isMarkedAsUntransferable ?? isPassedOver;
  return isMarked(buffer);
}

// Node 20 does not tell. It passes over marked ones in a transfer list, and
// refuses others that stand in it twice, before it moves anything.
function isPassedOver(buffer) {
  try {
    structuredClone(null, { transfer: [buffer, buffer] });
    return true;
  } catch {
    return false;
  }
}

module.exports = { isUntransferable };
