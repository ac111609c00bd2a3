'use strict';

const { structuredClone } = require('./structured-clone.js');

let isMarked;

/**
 * Whether a buffer was marked by `markAsUntransferable`. Node marks the slab
 * that small `Buffer`s share, because the process needs it for the next ones.
 *
 * @param {ArrayBuffer} buffer
 * @returns {boolean}
 */
function isUntransferable(buffer) {
  // Loaded at the first call, because most processes transfer nothing.
  isMarked ??=
    require('node:worker_threads').isMarkedAsUntransferable ?? isPassedOver;
  return isMarked(buffer);
}

// Node 20 has no function for it. Its structuredClone ignores marked buffers in
// a transfer list. It refuses an unmarked one that stands in the list twice,
// before it moves anything.
function isPassedOver(buffer) {
  try {
    structuredClone(null, { transfer: [buffer, buffer] });
    return true;
  } catch {
    return false;
  }
}

module.exports = { isUntransferable };
