'use strict';
// The methods of Buffers that messages need, captured while this file is loaded:
// jobs of threads and processes share the realm that reads messages, and code
// that replaces a built-in must lose none.

const { uncurry } = require('../protocol/codec/captured.js');

const { allocUnsafe, allocUnsafeSlow, concat, from, prototype } = Buffer;

module.exports = {
  allocUnsafe,
  /** With memory of its own, and nothing else in it. */
  allocAlone: allocUnsafeSlow,
  bufferFrom: from,
  concat,
  latin1Of: uncurry(prototype.latin1Slice),
  partOf: uncurry(prototype.subarray),
  put: uncurry(Uint8Array.prototype.set),
  readDouble: uncurry(prototype.readDoubleLE),
  readWord: uncurry(prototype.readUInt32LE),
  wideOf: uncurry(prototype.ucs2Slice),
  writeDouble: uncurry(prototype.writeDoubleLE),
  writeLatin1: uncurry(prototype.latin1Write),
  writeWide: uncurry(prototype.ucs2Write),
  writeWord: uncurry(prototype.writeUInt32LE),
};
