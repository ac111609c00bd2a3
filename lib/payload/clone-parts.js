'use strict';

const { isArrayBuffer } = require('node:util').types;

const { Code } = require('../protocol/diagnostics.gen.js');
const { isUntransferable } = require('../base/untransferable.js');

/**
 * Serializes a value by V8's structured clone, for isolates of this process:
 * `parts` is `[bytes, moved buffers, shared buffers]`, `moved` the buffers to
 * detach when they travel.
 *
 * @param {object} native the addon's functions
 * @param {unknown} value
 * @param {ArrayBuffer[] | undefined} transferList
 * @param {Error} refusal thrown if the value cannot be cloned, or if it is the
 *   refusal of a too large value
 * @returns {{ parts: [ArrayBuffer, ArrayBuffer[], SharedArrayBuffer[]],
 *   moved: ArrayBuffer[] }}
 */
function cloneParts(native, value, transferList = [], refusal) {
  if (refusal.code === Code.ResourceLimit) throw refusal;
  const buffers = transferList.filter(moves);
  let bytes;
  let shared;
  try {
    [bytes, shared] = native.serialize(value, buffers);
  } catch {
    throw refusal;
  }
  return { parts: [bytes, buffers, shared], moved: [bytes, ...buffers] };
}

// The list may hold other objects than buffers; V8 refuses the wrong ones.
const moves = (listed) => !isArrayBuffer(listed) || !isUntransferable(listed);

/** The value that was serialized as these parts. */
function fromParts(native, [bytes, buffers, shared]) {
  return native.deserialize(bytes, buffers, shared);
}

module.exports = { cloneParts, fromParts };
