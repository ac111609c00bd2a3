'use strict';
// Finds where the elements of a JSON array end, in bytes. Nothing is parsed here:
// that is done in the isolates, so that one broken element fails alone and the
// main thread keeps up with all of them. Streaming parsers from npm make
// values, which would have to be serialized again; they read about 25 MB/s.

const { CliError, Exit } = require('../exit.js');

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];
const BLANK = [0x20, 0x09, 0x0a, 0x0d];
const MARK = [0xef, 0xbb, 0xbf];

// Kind of a byte outside of strings; 0 for any other byte.
const Kind = { Opening: 1, Closing: 2, Quote: 3, Comma: 4 };
const KINDS = new Uint8Array(256);
for (const byte of OPENING) KINDS[byte] = Kind.Opening;
for (const byte of CLOSING) KINDS[byte] = Kind.Closing;
KINDS[QUOTE] = Kind.Quote;
KINDS[COMMA] = Kind.Comma;

const inputError = (message) =>
  new CliError('SLOPPY_CLI_INPUT', message, {
    exit: Exit.JobFailed,
    hint: 'one JSON value on each line is --format ndjson',
  });

/** @returns {number} the index of the closing quote, -1 without one */
function endOfString(buffer, start) {
  let at = buffer.indexOf(QUOTE, start);
  while (at >= 0) {
    let first = at;
    while (first > start && buffer[first - 1] === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at;
    at = buffer.indexOf(QUOTE, at + 1);
  }
  return -1;
}

/** @returns {number} the index of the comma or bracket that ends it, or -1 */
function endOfElement(buffer, start) {
  let depth = 0;
  for (let at = start; at < buffer.length; at += 1) {
    const kind = KINDS[buffer[at]];
    if (kind === 0) continue;
    if (kind === Kind.Quote) {
      at = endOfString(buffer, at + 1);
      if (at < 0) return -1;
    } else if (kind === Kind.Opening) {
      depth += 1;
    } else if (kind === Kind.Closing) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (depth === 0) {
      return at;
    }
  }
  return -1;
}

function firstVisible(buffer, start, end = buffer.length) {
  let at = start;
  while (at < end && BLANK.includes(buffer[at])) at += 1;
  return at;
}

/** Past the bracket that opens the array, -1 if that has not come yet. */
function afterOpening(buffer) {
  const hasMark = MARK.every((byte, at) => buffer[at] === byte);
  const at = firstVisible(buffer, hasMark ? MARK.length : 0);
  if (at === buffer.length) return -1;
  if (buffer[at] !== OPENING[0]) {
    throw inputError('the input is no JSON array');
  }
  return at + 1;
}

/**
 * @param {number} position of the first byte: 0 is before the opening bracket,
 *   others follow an element
 * @param {number} [end] of a range that ends after an element
 * @returns {object} rules of RecordSplitter
 */
function createElementRules(position, end) {
  let isClosed = false;
  let isOpen = position > 0;
  let hasElements = position > 0;
  // The text of the first element begins here: the bracket is before it.
  let opening = 0;

  const endOf = (buffer, start) => {
    if (isClosed) {
      // The brackets of an empty array were no element and are still there.
      const from = hasElements ? start : buffer.indexOf(CLOSING[0]) + 1;
      if (firstVisible(buffer, from) === buffer.length) return -1;
      throw inputError('there is something after the JSON array');
    }
    let from = start;
    if (!isOpen) {
      opening = afterOpening(buffer);
      if (opening < 0) return -1;
      from = opening;
    }
    const at = endOfElement(buffer, from);
    if (at < 0) return -1;
    isClosed = buffer[at] !== COMMA;
    isOpen = true;
    // `[]`: what is between the brackets is no element.
    if (isClosed && !hasElements && firstVisible(buffer, from, at) === at) {
      return -1;
    }
    hasElements = true;
    return at + 1;
  };

  return {
    endOf,
    rangeOf(_buffer, start, last) {
      const range = [Math.max(start, opening), last - 1];
      opening = 0;
      return range;
    },
    takesRest: false,
    finish(rest) {
      const isEmpty = firstVisible(rest, 0) === rest.length;
      const isWhole = isClosed || (position > 0 && isEmpty);
      if (end === undefined && !isWhole) {
        throw inputError('the JSON array in the input does not end');
      }
    },
  };
}

module.exports = { createElementRules };
