'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. A result of a few bytes
// goes through the header, so that the job's end and the next one's beginning
// are one call.
const { H } = native;
const { Octets, charCodeAt } = require('./primordials.js');
const {
  Header,
  PayloadKind,
  Small,
} = require('../../lib/protocol/wire.gen.js');

const headerBuffer = H.buffer;
let bytes = null;

function putResult(kind, number, size) {
  H[Header.Result] = kind;
  H[Header.Result + 1] = number;
  H[Header.Result + 2] = size;
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

runtime.putNumber = (value) => putResult(PayloadKind.Number, value, 0);

// Takes the record of encode(). Returns false if it is too large, or has other
// parts.
runtime.putSmall = ({ kind, number, slots, slotCount, text, more }) => {
  const length = text === undefined ? 0 : text.length;
  if (
    slotCount > Small.Slots ||
    length > Small.TextBytes ||
    more !== undefined
  ) {
    return false;
  }
  for (let i = 0; i < slotCount; i++) H[Header.Body + i] = slots[i];
  if (length > 0 && !putUnits((Header.Body + slotCount) * 8, text, length)) {
    return false;
  }
  putResult(kind, number, slotCount + length * Small.TextUnit);
  return true;
};
