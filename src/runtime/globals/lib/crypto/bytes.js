'use strict';

const { invalidType, nodeError } = require('./errors.js');

/* global host */
let isAnyArrayBuffer;
const isAnyBuffer = (value) => {
  isAnyArrayBuffer ??= host.binding('types').isAnyArrayBuffer;
  return isAnyArrayBuffer(value);
};
const isView = ArrayBuffer.isView;
const isTextOrBytes = (value) =>
  typeof value === 'string' || isView(value) || isAnyBuffer(value);

let Buffer;

/** Node's Buffer: loaded when something is to be one, which is seldom. */
function buffers() {
  Buffer ??= require('node:buffer').Buffer;
  return Buffer;
}

/** Bytes of a native as a Buffer, or as text where an encoding is named. */
function fromBytes(bytes, encoding = undefined) {
  const { buffer: memory, byteOffset, byteLength } = bytes;
  const buffer = buffers().from(memory, byteOffset, byteLength);
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
}

function checkHex(data, encoding) {
  if (data.length % 2 === 0 || typeof encoding !== 'string') return;
  if (encoding.toLowerCase() !== 'hex') return;
  throw nodeError(
    TypeError,
    'ERR_INVALID_ARG_VALUE',
    `The argument 'encoding' is invalid for data of length ${data.length}. Received '${encoding}'`,
  );
}

const KNOWN = ['utf8', 'utf-8', 'buffer', undefined, null];

/** The value that natives take for a text: itself, if UTF-8 is wanted. */
const textBytes = (text, encoding) =>
  KNOWN.includes(encoding) ? text : buffers().from(text, encoding);

/** The same as Node's natives have it, to which an unknown encoding is UTF-8. */
const parsedBytes = (text, encoding) =>
  KNOWN.includes(encoding) || !buffers().isEncoding(encoding)
    ? text
    : buffers().from(text, encoding);

/** The same of what a stream hands on, which looks at nothing of it. */
const chunkBytes = (chunk, encoding) =>
  typeof chunk === 'string' ? parsedBytes(chunk, encoding) : chunk;

/** @returns {string | ArrayBufferView | ArrayBuffer} for natives */
function toBytes(data, name, encoding = undefined) {
  if (typeof data === 'string') return textBytes(data, encoding);
  if (isView(data) || isAnyBuffer(data)) return data;
  throw invalidType(
    name,
    ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'],
    data,
  );
}

/** The same without buffers that are no views. */
function toViewBytes(data, name, encoding = undefined) {
  if (typeof data === 'string') {
    checkHex(data, encoding);
    return parsedBytes(data, encoding);
  }
  if (isView(data)) return data;
  throw invalidType(name, ['string', 'Buffer', 'TypedArray', 'DataView'], data);
}

const sizeOf = (data) =>
  typeof data === 'string' ? buffers().byteLength(data) : data.byteLength;

/** A copy of bytes that the caller may change, as a Uint8Array. */
function copyOf(data) {
  if (typeof data === 'string') return buffers().from(data);
  if (isView(data)) {
    return Uint8Array.from(
      new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    );
  }
  return new Uint8Array(data.slice(0));
}

module.exports = {
  buffers,
  chunkBytes,
  copyOf,
  fromBytes,
  isAnyBuffer,
  isTextOrBytes,
  isView,
  sizeOf,
  toBytes,
  toViewBytes,
};
