'use strict';
// Values that are only a kind and a number; they need no encoder.

const {
  KIND_FALSE,
  KIND_NULL,
  KIND_NUMBER,
  KIND_TRUE,
  KIND_UNDEFINED,
} = require('../protocol/codec/grammar.js');
const { Float64 } = require('../protocol/codec/captured.js');

/** Size of each towards `maxQueuedBytes`, the same as the encoder's. */
const SMALL_BYTES = 8;

/** @returns {number} the value's kind; -1: it needs the encoder */
function smallKind(value) {
  if (typeof value === 'number') return value - value === 0 ? KIND_NUMBER : -1;
  if (value === null) return KIND_NULL;
  if (value === undefined) return KIND_UNDEFINED;
  if (value === true) return KIND_TRUE;
  return value === false ? KIND_FALSE : -1;
}

const NO_SLOTS = new Float64(0);

// Its kind and number are those of the call that is being submitted.
const small = {
  kind: KIND_NULL,
  number: 0.5,
  slots: NO_SLOTS,
  slotCount: 0,
  text: undefined,
  more: undefined,
  bytes: SMALL_BYTES,
};

/**
 * REQUIRES: a value of that kind.
 *
 * @returns {object} the record that the encoder would make, until the next call
 */
function smallEncoding(kind, value) {
  small.kind = kind;
  small.number = kind === KIND_NUMBER ? value : 0;
  return small;
}

module.exports = { SMALL_BYTES, smallEncoding, smallKind };
