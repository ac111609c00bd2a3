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
//   Node's Buffer                  a view of the type NODE_BUFFER
//   clone                          CLONE, number of buffers beside its bytes; the
//                                  buffers are the bytes, those, those shared
//                                  and WebAssembly.Modules.
//                                  Or CLONE and the negative length of its
//                                  bytes, which are in the texts

const { PayloadKind } = require('../wire.gen.js');

const TAG = 2 ** 1000;
const NULL = 1;
const UNDEFINED = 2;
const TRUE = 3;
const FALSE = 4;
const BIG = 5;
const TEXT = 6;
const ARRAY = 7;
const SHAPE = 8;
const OBJECT = 9;
const BUFFER = 10;
const VIEW = 11;
const CLONE = 12;
const STRING = 32;

const KIND_UNDEFINED = PayloadKind.Undefined;
const KIND_NULL = PayloadKind.Null;
const KIND_TRUE = PayloadKind.True;
const KIND_FALSE = PayloadKind.False;
const KIND_NUMBER = PayloadKind.Number;
const KIND_STRING = PayloadKind.String;
const KIND_STRUCTURED = PayloadKind.Structured;

// A view's type is its index here.
const VIEW_NAMES = [
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
];
const DATA_VIEW = 11;
const OCTETS = 1;
const NODE_BUFFER = 13;

// How encode() carries a value. EXACTLY: by this grammar, with shared memory as
// such, and as a clone what the grammar would lose. CLONED: as a clone, by the
// grammar where that is faster. SHARING: plainly, but shared memory is
// shared, also below views. CLONED_DATA: as CLONED, without WebAssembly.Modules.
const Carry = {
  PLAINLY: 0,
  EXACTLY: 1,
  CLONED: 2,
  SHARING: 3,
  CLONED_DATA: 4,
};

/** Whether a value is carried as a clone that may differ from the grammar's. */
const isCloned = (carry) =>
  carry === Carry.CLONED || carry === Carry.CLONED_DATA;

// Why encode() refused a value; hosts turn it into their own error.
const Refusal = {
  UNSUPPORTED: 1,
  NOT_FINITE: 2,
  CYCLE: 3,
  UNREADABLE: 4,
  TOO_LARGE: 5,
};

module.exports = {
  TAG,
  NULL,
  UNDEFINED,
  TRUE,
  FALSE,
  BIG,
  TEXT,
  ARRAY,
  SHAPE,
  OBJECT,
  BUFFER,
  VIEW,
  CLONE,
  STRING,
  KIND_UNDEFINED,
  KIND_NULL,
  KIND_TRUE,
  KIND_FALSE,
  KIND_NUMBER,
  KIND_STRING,
  KIND_STRUCTURED,
  VIEW_NAMES,
  DATA_VIEW,
  OCTETS,
  NODE_BUFFER,
  Carry,
  isCloned,
  Refusal,
};
