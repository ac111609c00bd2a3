'use strict';
// The wire grammar: what a structured value's slots hold, and how a payload
// says what kind of value it is.
//
// A value becomes a kind, a number and, for structured values, a run of
// 8-byte float slots plus texts and byte buffers that the slots refer to in
// order. A slot below TAG is a number as it stands; a slot at or above TAG is
// code × TAG, which no admissible number needs (larger finite numbers are
// escaped), so that the common case costs one comparison and no tag.
//
//   null undefined true false      one slot
//   number                         one slot, or BIG and the number
//   string                         STRING + length, its units in the texts
//   long string                    TEXT, a text of its own
//   array                          ARRAY, length, values
//   object with a known shape      SHAPE, shape id, values
//   other object                   OBJECT, count, (key, value) pairs
//   ArrayBuffer                    BUFFER, index
//   view                           VIEW, type, index, offset, length

const TAG = 2 ** 1000;

module.exports = {
  TAG,
  NULL: 1,
  UNDEFINED: 2,
  TRUE: 3,
  FALSE: 4,
  BIG: 5,
  TEXT: 6,
  ARRAY: 7,
  SHAPE: 8,
  OBJECT: 9,
  BUFFER: 10,
  VIEW: 11,
  STRING: 32,

  // src/payload/payload.h
  KIND_UNDEFINED: 0,
  KIND_NULL: 1,
  KIND_TRUE: 2,
  KIND_FALSE: 3,
  KIND_NUMBER: 4,
  KIND_STRING: 5,
  KIND_STRUCTURED: 6,

  // A view's type is its index here.
  VIEW_NAMES: [
    'Int8Array',
    'Uint8Array',
    'Uint8ClampedArray',
    'Int16Array',
    'Uint16Array',
    'Int32Array',
    'Uint32Array',
    'Float32Array',
    'Float64Array',
    'BigInt64Array',
    'BigUint64Array',
    'DataView',
    'Float16Array',
  ],
  DATA_VIEW: 11,

  // What encode() throws; hosts turn it into their own error.
  Refusal: {
    UNSUPPORTED: 1,
    NOT_FINITE: 2,
    CYCLE: 3,
    UNREADABLE: 4,
    TOO_LARGE: 5,
  },
};
