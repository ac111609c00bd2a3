'use strict';
// Values that are nothing but a kind and a number: what travels of them needs
// no encoder.

const {
  KIND_FALSE,
  KIND_NULL,
  KIND_NUMBER,
  KIND_TRUE,
  KIND_UNDEFINED,
} = require('../protocol/codec/grammar.js');
const { Float64 } = require('../protocol/codec/captured.js');

/** What each counts towards `maxQueuedBytes`, as the encoder says. */
const SMALL_BYTES = 8;

/** @returns {number} the value's kind; -1: it needs the encoder */
function smallKind(value) {
  if (typeof value === 'number') return value - value === 0 ? KIND_NUMBER : -1;
  if (value === null) return KIND_NULL;
  if (value === undefined) return KIND_UNDEFINED;
  if (value === true) return KIND_TRUE;
  return value === false ? KIND_FALSE : -1;
}

/** REQUIRES: a value of that kind. @returns {number} */
const smallNumber = (kind, value) => (kind === KIND_NUMBER ? value : 0);

const NO_SLOTS = new Float64(0);

/** @returns {object} what the encoder would make of it */
const smallEncoding = (kind, number) => ({
  kind,
  number,
  slots: NO_SLOTS,
  slotCount: 0,
  text: undefined,
  more: undefined,
  bytes: SMALL_BYTES,
});

module.exports = { SMALL_BYTES, smallEncoding, smallKind, smallNumber };
