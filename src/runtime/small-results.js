'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. A result of a few bytes
// goes through the header: then its job's end and the next one's beginning are
// one call.
const { H } = native;
const { Octets, charCodeAt } = require('./primordials.js');

const KIND_NUMBER = 4;
// Header slots (worker/realm.cc).
const H_RESULT = 8;
// From here on the slots of a result, and behind them the units of its text.
const H_BODY = 12;
// What a payload has inside (payload/payload.h).
const MAX_SLOTS = 12;
const MAX_TEXT = 48;
const TEXT_LENGTH = 16;

const headerBuffer = H.buffer;
let bytes = null;

function putResult(kind, number, size) {
  H[H_RESULT] = kind;
  H[H_RESULT + 1] = number;
  H[H_RESULT + 2] = size;
}

function putUnits(at, text, length) {
  bytes ??= new Octets(headerBuffer);
  for (let i = 0; i < length; i++) {
    const unit = charCodeAt(text, i);
    if (unit > 255) return false;
    bytes[at + i] = unit;
  }
  return true;
}

runtime.putNumber = (value) => putResult(KIND_NUMBER, value, 0);

// Takes what encode() gave. False when it is too large, or has parts of other
// kinds.
runtime.putSmall = ({ kind, number, slots, slotCount, text, more }) => {
  const length = text === undefined ? 0 : text.length;
  if (slotCount > MAX_SLOTS || length > MAX_TEXT || more !== undefined) {
    return false;
  }
  for (let i = 0; i < slotCount; i++) H[H_BODY + i] = slots[i];
  if (length > 0 && !putUnits((H_BODY + slotCount) * 8, text, length)) {
    return false;
  }
  putResult(kind, number, slotCount + length * TEXT_LENGTH);
  return true;
};
