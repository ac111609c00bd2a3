'use strict';
// Finds where a record ends, in bytes. UTF-8 never has these bytes inside another
// character, so a chunk may be cut anywhere.

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;

/** @returns {number} the index after the newline, -1 without one */
function endOfLine(buffer, start, searched) {
  const at = buffer.indexOf(NEWLINE, Math.max(start, searched));
  return at < 0 ? -1 : at + 1;
}

// The state of RFC 4180: a quote opens at the start of a field only, and a
// newline between quotes belongs to the field.
function endOfQuotedRecord(buffer, start, delimiter) {
  let isQuoted = false;
  let isFieldStart = true;
  let hasJustClosed = false;
  for (let at = start; at < buffer.length; at += 1) {
    const byte = buffer[at];
    if (isQuoted) {
      isQuoted = byte !== QUOTE;
      hasJustClosed = !isQuoted;
      continue;
    }
    if (byte === NEWLINE) return at + 1;
    // A doubled quote closes and opens again.
    if (byte === QUOTE) isQuoted = isFieldStart || hasJustClosed;
    isFieldStart = byte === delimiter;
    hasJustClosed = false;
  }
  return -1;
}

/** @returns {(buffer, start, searched) => number} for records of CSV */
function endOfRow(delimiter) {
  let known = null;
  let nextQuote = -1;
  return (buffer, start, searched) => {
    if (known !== buffer || nextQuote < start) {
      const found = buffer.indexOf(QUOTE, start);
      nextQuote = found < 0 ? Infinity : found;
      known = buffer;
    }
    const isPlain = nextQuote === Infinity;
    const end = endOfLine(buffer, start, isPlain ? searched : start);
    if (end < 0 ? isPlain : nextQuote >= end) return end;
    return endOfQuotedRecord(buffer, start, delimiter);
  };
}

/** Finds lines, or the rows of CSV. */
const lineRules = (endOf) => ({
  endOf,
  rangeOf: (buffer, start, end) => [start, withoutLineEnd(buffer, start, end)],
  takesRest: true,
  finish() {},
});

/** A record's bytes without the end of its line. */
function withoutLineEnd(buffer, start, end) {
  let last = end;
  if (last > start && buffer[last - 1] === NEWLINE) last -= 1;
  if (last > start && buffer[last - 1] === RETURN) last -= 1;
  return last;
}

module.exports = { endOfLine, endOfRow, lineRules };
