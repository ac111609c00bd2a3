'use strict';

// Random UUIDs: bytes of many at once, because one native call costs more than
// the text.

const COUNT = 128;
let hex;

/** The text of each byte. */
function pairs() {
  const texts = [];
  for (let byte = 0; byte < 256; byte += 1) {
    texts.push(byte.toString(16).padStart(2, '0'));
  }
  return texts;
}

/**
 * @param {(bytes: Uint8Array) => void} fill with random bytes
 */
function makeUuids(fill) {
  let bytes;
  let next = COUNT;

  /** Sixteen random bytes, at `at` of the array. */
  function take() {
    if (next === COUNT) {
      hex ??= pairs();
      bytes ??= new Uint8Array(16 * COUNT);
      fill(bytes);
      next = 0;
    }
    const at = 16 * next;
    next += 1;
    return at;
  }

  function textAt(at, first, second) {
    const b = bytes;
    return (
      hex[b[at]] +
      hex[b[at + 1]] +
      hex[b[at + 2]] +
      hex[b[at + 3]] +
      '-' +
      hex[b[at + 4]] +
      hex[b[at + 5]] +
      '-' +
      hex[first] +
      hex[b[at + 7]] +
      '-' +
      hex[second] +
      hex[b[at + 9]] +
      '-' +
      hex[b[at + 10]] +
      hex[b[at + 11]] +
      hex[b[at + 12]] +
      hex[b[at + 13]] +
      hex[b[at + 14]] +
      hex[b[at + 15]]
    );
  }

  function randomUUID() {
    const at = take();
    const first = (bytes[at + 6] & 0x0f) | 0x40;
    const second = (bytes[at + 8] & 0x3f) | 0x80;
    return textAt(at, first, second);
  }

  /** Version 7: the time in front. */
  function randomUUIDv7() {
    const at = take();
    const now = Date.now();
    for (let index = 0; index < 6; index += 1) {
      bytes[at + index] = Math.floor(now / 256 ** (5 - index)) % 256;
    }
    const first = (bytes[at + 6] & 0x0f) | 0x70;
    const second = (bytes[at + 8] & 0x3f) | 0x80;
    return textAt(at, first, second);
  }

  return { randomUUID, randomUUIDv7 };
}

module.exports = { makeUuids };
