'use strict';

// Text from bytes and back, by the host (src/isolate/globals/bytes_natives.cc).

/* global host */
const { ByteEncoding } = require('../../../../lib/protocol/wire.gen.js');

const {
  Latin1: LATIN1,
  Ascii: ASCII,
  Utf16: UTF16,
  Hex: HEX,
  Base64: BASE64,
  Base64Url: BASE64_URL,
  Utf8: UTF8,
  Windows1252: WINDOWS_1252,
} = ByteEncoding;
const ALL = Number.POSITIVE_INFINITY;

const NUMBERS = {
  __proto__: null,
  latin1: LATIN1,
  binary: LATIN1,
  ascii: ASCII,
  ucs2: UTF16,
  'ucs-2': UTF16,
  utf16le: UTF16,
  'utf-16le': UTF16,
  hex: HEX,
  base64: BASE64,
  base64url: BASE64_URL,
  utf8: UTF8,
  'utf-8': UTF8,
};

// One call takes this many bytes at most of an encoding that the host makes a
// copy for: whole groups of each.
const PIECE = 12 << 20;
const COPIED = [ASCII, HEX, BASE64, BASE64_URL];
// V8 keeps arrays of up to this size on its heap, where JavaScript writes sooner
// than the host could.
const ON_HEAP = 64;

/** The number of Node's name for an encoding; undefined if there is none. */
function encodingOf(name) {
  if (name === undefined || name === null || name === '') return UTF8;
  if (typeof name !== 'string') return undefined;
  return NUMBERS[name] ?? NUMBERS[name.toLowerCase()];
}

/**
 * The text of Windows-1252, undefined where that is not Latin 1.
 *
 * @param {Uint8Array} bytes whatever its prototype says
 */
const latinOf = (bytes) => host.bytesToText(bytes, WINDOWS_1252, 0, ALL);

function textOf(bytes, encoding, start, end) {
  if (end - start <= PIECE || !COPIED.includes(encoding)) {
    return host.bytesToText(bytes, encoding, start, end);
  }
  let text = '';
  for (let at = start; at < end; at += PIECE) {
    text += host.bytesToText(bytes, encoding, at, Math.min(at + PIECE, end));
  }
  return text;
}

/** How many bytes a text has; more for Base64 and digits that are wrong. */
function sizeOf(text, encoding) {
  const { length } = text;
  switch (encoding) {
    case UTF8:
      return host.utf8Length(text);
    case UTF16:
      return length * 2;
    case HEX:
      return length >>> 1;
    case BASE64:
    case BASE64_URL: {
      const last = length > 1 && text[length - 1] === '=';
      const padding = last ? (text[length - 2] === '=' ? 2 : 1) : 0;
      return Math.floor(((length - padding) * 3) / 4);
    }
    default:
      return length;
  }
}

/** Writes a short text of ASCII, or with `all` its low bytes. */
function writeShort(text, bytes, all) {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 127 && !all) return false;
    bytes[at] = code;
  }
  return true;
}

/**
 * Bytes of a text.
 *
 * @param {(size: number) => Uint8Array} make
 * @returns {Uint8Array | undefined} undefined for Base64 that only Node's
 *   rules make sense of, and for UTF-8 of other characters than ASCII, or long
 */
function bytesOfText(text, encoding, make) {
  const isUtf8 = encoding === UTF8;
  if (text.length <= ON_HEAP && (isUtf8 || encoding <= ASCII)) {
    const bytes = make(text.length);
    return writeShort(text, bytes, !isUtf8) ? bytes : undefined;
  }
  if (isUtf8) return undefined;
  const size = sizeOf(text, encoding);
  const bytes = make(size);
  const written = host.writeText(text, bytes, encoding, 0, size);
  if (written < 0) return undefined;
  return written === size ? bytes : bytes.subarray(0, written);
}

module.exports = {
  BASE64,
  LATIN1,
  UTF16,
  UTF8,
  bytesOfText,
  encodingOf,
  latinOf,
  sizeOf,
  textOf,
};
