'use strict';

const { isArrayBuffer } = require('node:util').types;

const { Code } = require('../protocol/diagnostics.gen.js');
const { isUntransferable } = require('../base/untransferable.js');

/**
 * A value as V8's structured clone, for isolates of this process: `parts` is
 * `[bytes, buffers that move, buffers that are shared]`, `moved` what has to
 * be detached when they travel.
 *
 * @param {object} native the addon's functions
 * @param {unknown} value
 * @param {ArrayBuffer[] | undefined} transferList
 * @param {Error} refusal thrown when the value cannot be cloned either, or
 *   when it says that the value is too large
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

// Not everything in the list has to be a buffer: V8 refuses what cannot be one.
const moves = (listed) => !isArrayBuffer(listed) || !isUntransferable(listed);

/** The value of such parts. */
function fromParts(native, [bytes, buffers, shared]) {
  return native.deserialize(bytes, buffers, shared);
}

module.exports = { cloneParts, fromParts };
