'use strict';

// The bytes of what Web IDL calls a BufferSource, found by its slots: what an
// object says about itself proves nothing.

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { call } = Function.prototype;
const getter = (object, key) =>
  call.bind(getOwnPropertyDescriptor(object, key).get);

const { isView } = ArrayBuffer;
const TypedArray = getPrototypeOf(Uint8Array).prototype;
const kindOf = getter(TypedArray, Symbol.toStringTag);
const KEYS = ['buffer', 'byteOffset', 'byteLength'];
const ofArray = KEYS.map((key) => getter(TypedArray, key));
const ofDataView = KEYS.map((key) => getter(DataView.prototype, key));
const lengthOf = getter(ArrayBuffer.prototype, 'byteLength');
const sharedLengthOf = getter(SharedArrayBuffer.prototype, 'byteLength');

function attempt(read, value) {
  try {
    return read(value);
  } catch {
    return undefined;
  }
}

/** @returns {string | undefined} the name of its class */
const typedArrayKind = (value) => kindOf(value);

const isShared = (buffer) => attempt(sharedLengthOf, buffer) !== undefined;

function placeOf(value) {
  if (isView(value)) {
    const read = kindOf(value) === undefined ? ofDataView : ofArray;
    // A DataView whose buffer is gone has no place any more.
    return read.map((key) => attempt(key, value) ?? 0);
  }
  const length = attempt(lengthOf, value) ?? attempt(sharedLengthOf, value);
  return length === undefined ? undefined : [value, 0, length];
}

/**
 * @param {unknown} value
 * @param {boolean} allowShared
 * @returns {Uint8Array | undefined} of the same memory, empty if that is
 *   detached; undefined for what is no BufferSource
 */
function bytesOf(value, allowShared = false) {
  if (typeof value !== 'object' || value === null) return undefined;
  const place = placeOf(value);
  if (place === undefined) return undefined;
  const [buffer, offset, length] = place;
  if (!allowShared && isShared(buffer)) {
    throw new TypeError('The memory of the buffer is shared');
  }
  return length === 0
    ? new Uint8Array(0)
    : new Uint8Array(buffer, offset, length);
}

module.exports = { bytesOf, typedArrayKind };
