'use strict';

const { invalidArgument } = require('./node-error.js');

const { Buffer } = require('node:buffer');

/** Any data that node:crypto takes, as bytes of this isolate. */
function toBytes(data, encoding = undefined, name = 'data') {
  if (typeof data === 'string') return Buffer.from(data, encoding);
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  const types = require('node:util/types');
  if (types.isAnyArrayBuffer(data)) return new Uint8Array(data);
  throw invalidArgument(
    name,
    'of type string or an instance of Buffer, TypedArray, or DataView',
    data,
  );
}

/** Bytes as a Buffer, or as text where an encoding is named. */
function fromBytes(bytes, encoding = undefined) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
}

module.exports = { fromBytes, toBytes };
