'use strict';

const { structuredClone } = require('./structured-clone.js');

/** Empties a buffer that was moved in its caller's eyes, as far as it can be. */
function detach(buffer) {
  try {
    structuredClone(null, { transfer: [buffer] });
  } catch {
    // The caller keeps one that cannot move, such as the memory of WebAssembly.
  }
}

module.exports = { detach };
