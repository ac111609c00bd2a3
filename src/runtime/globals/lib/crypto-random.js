'use strict';

/* global host */
const {
  invalidArgument,
  needFunction,
  outOfRange,
} = require('./node-error.js');

const { Buffer } = require('node:buffer');

const MAX_BYTES = 2 ** 31 - 1;
const MAX_RANGE = 2 ** 48;

const later = (callback, ...args) =>
  require('sw:timers').setImmediate(callback, ...args);

function randomBytes(size, callback = undefined) {
  if (typeof size !== 'number') {
    throw invalidArgument('size', 'of type number', size);
  }
  if (!(size >= 0 && size <= MAX_BYTES)) {
    throw outOfRange('size', `>= 0 && <= ${MAX_BYTES}`, size);
  }
  const bytes = Buffer.alloc(size);
  host.randomFill(bytes);
  if (callback === undefined) return bytes;
  needFunction(callback);
  later(callback, null, bytes);
  return undefined;
}

function part(buffer, offset, size) {
  if (!ArrayBuffer.isView(buffer)) return new Uint8Array(buffer, offset, size);
  const unit = buffer.BYTES_PER_ELEMENT ?? 1;
  const length =
    size === undefined ? buffer.byteLength - offset * unit : size * unit;
  return new Uint8Array(
    buffer.buffer,
    buffer.byteOffset + offset * unit,
    length,
  );
}

function randomFillSync(buffer, offset = 0, size = undefined) {
  host.randomFill(part(buffer, offset, size));
  return buffer;
}

function randomFill(buffer, ...rest) {
  const callback = rest.pop();
  needFunction(callback);
  later(callback, null, randomFillSync(buffer, ...rest));
}

// Numbers beyond the last whole multiple of the range would favour some.
function uniform(range) {
  const limit = MAX_RANGE - (MAX_RANGE % range);
  const bytes = new Uint8Array(6);
  for (;;) {
    host.randomFill(bytes);
    const value = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
    if (value < limit) return value % range;
  }
}

function randomInt(first, second = undefined, third = undefined) {
  const single = second === undefined || typeof second === 'function';
  const [min, max, callback] = single
    ? [0, first, second]
    : [first, second, third];
  for (const [name, value] of [
    ['min', min],
    ['max', max],
  ]) {
    if (!Number.isSafeInteger(value)) {
      throw invalidArgument(name, 'a safe integer', value);
    }
  }
  if (max <= min) {
    throw outOfRange('max', `greater than the value of "min" (${min})`, max);
  }
  if (max - min > MAX_RANGE - 1) {
    throw outOfRange('max - min', `<= ${MAX_RANGE - 1}`, max - min);
  }
  const value = min + uniform(max - min);
  if (callback === undefined) return value;
  later(callback, null, value);
  return undefined;
}

module.exports = { later, randomBytes, randomFill, randomFillSync, randomInt };
