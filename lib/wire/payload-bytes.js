'use strict';
// Payloads of the codec as bytes, for processes without a serializer that could
// be trusted: src/sandbox/payload_bytes.h tells the layout, and has the other
// end.

const {
  KIND_NUMBER,
  KIND_STRING,
  KIND_STRUCTURED,
} = require('../protocol/codec/grammar.js');
const { checkStructure } = require('./payload-check.js');
const { FrameError } = require('./frames.js');

const HEAD_BYTES = 24;
const TWO_BYTES = 2 ** 31;
const SLOT_BYTES = 8;
const NOTHING = [];
const NONE = Buffer.alloc(0);

const octetsOf = (part) =>
  ArrayBuffer.isView(part)
    ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
    : new Uint8Array(part);

// Latin-1 if it can be, because most texts are.
function bytesOfText(text) {
  const narrow = Buffer.from(text, 'latin1');
  return narrow.latin1Slice() === text
    ? { bytes: narrow, word: text.length }
    : { bytes: Buffer.from(text, 'utf16le'), word: text.length + TWO_BYTES };
}

function textsOf({ kind, text, more }) {
  if (kind < KIND_STRING) return NOTHING;
  const texts = more?.[0] ?? [text ?? ''];
  return Array.from(texts, bytesOfText);
}

/**
 * @param {object} encoding from the codec's `encode`, without shared memory
 * @param {Buffer} [before] bytes that come first
 * @returns {Buffer} all of it, independent of the caller's buffers
 */
function packPayload(encoding, before = NONE) {
  const { kind, number, slots, slotCount, more } = encoding;
  const texts = textsOf(encoding);
  const buffers = Array.from(more?.[1] ?? NOTHING, octetsOf);
  const count = kind === KIND_STRUCTURED ? slotCount : 0;
  let size = HEAD_BYTES + (texts.length + buffers.length) * 4;
  size += count * SLOT_BYTES;
  for (const { bytes } of texts) size += bytes.length;
  for (const bytes of buffers) size += bytes.length;
  const packed = Buffer.allocUnsafe(before.length + size);
  packed.set(before);
  let at = packed.writeUInt32LE(kind, before.length);
  at = packed.writeUInt32LE(count, at);
  at = packed.writeUInt32LE(texts.length, at);
  at = packed.writeUInt32LE(buffers.length, at);
  at = packed.writeDoubleLE(number, at);
  for (const { word } of texts) at = packed.writeUInt32LE(word, at);
  for (const { length } of buffers) at = packed.writeUInt32LE(length, at);
  if (count > 0) {
    packed.set(octetsOf(slots).subarray(0, count * SLOT_BYTES), at);
    at += count * SLOT_BYTES;
  }
  for (const { bytes } of texts) {
    packed.set(bytes, at);
    at += bytes.length;
  }
  for (const bytes of buffers) {
    packed.set(bytes, at);
    at += bytes.length;
  }
  return packed;
}

function refuse() {
  throw new FrameError('a value that nobody can read');
}

// The parts of a body, each of which is inside of it.
class Parts {
  #bytes;
  #at = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  take(size) {
    const from = this.#at;
    if (size > this.#bytes.length - from) refuse();
    this.#at += size;
    return this.#bytes.subarray(from, this.#at);
  }

  words(count) {
    const bytes = this.take(count * 4);
    return Array.from({ length: count }, (_, i) => bytes.readUInt32LE(i * 4));
  }

  // The copy has memory of its own, which is aligned.
  slots(count) {
    const bytes = this.take(count * SLOT_BYTES);
    const slots = new Float64Array(count);
    octetsOf(slots).set(bytes);
    return slots;
  }

  text(word) {
    const isWide = word >= TWO_BYTES;
    const length = isWide ? word - TWO_BYTES : word;
    const bytes = this.take(isWide ? length * 2 : length);
    return isWide ? bytes.toString('utf16le') : bytes.latin1Slice();
  }

  buffer(size) {
    const bytes = this.take(size);
    const copy = new Uint8Array(size);
    copy.set(bytes);
    return copy.buffer;
  }

  get isAtEnd() {
    return this.#at === this.#bytes.length;
  }
}

/**
 * Reads what somebody who is not trusted has written. Nothing is made that is
 * larger than some times the bytes.
 *
 * @param {Buffer} bytes
 * @param {number[]} [shapes] the numbers of keys of known shapes
 * @returns {object} for the codec's `decode`: `{ kind, number, slots, text,
 *   more }`
 * @throws {FrameError}
 */
function unpackPayload(bytes, shapes = NOTHING) {
  const parts = new Parts(bytes);
  const head = parts.take(HEAD_BYTES);
  const kind = head.readUInt32LE(0);
  const slotCount = head.readUInt32LE(4);
  const textCount = head.readUInt32LE(8);
  const bufferCount = head.readUInt32LE(12);
  const number = head.readDoubleLE(16);
  if (kind > KIND_STRUCTURED) refuse();
  const words = parts.words(textCount + bufferCount);
  const slots = parts.slots(slotCount);
  const texts = words.slice(0, textCount).map((word) => parts.text(word));
  const buffers = words.slice(textCount).map((size) => parts.buffer(size));
  if (!parts.isAtEnd) refuse();
  const [text, ...further] = texts;
  if (kind !== KIND_STRUCTURED) {
    const most = kind === KIND_STRING ? 1 : 0;
    if (slotCount > 0 || bufferCount > 0 || textCount > most) refuse();
    if (kind === KIND_NUMBER && !Number.isFinite(number)) refuse();
    return { kind, number, slots, text, more: undefined };
  }
  if (!checkStructure(slots, texts, buffers, shapes)) refuse();
  return { kind, number, slots, text, more: [slots, further, buffers] };
}

module.exports = { packPayload, unpackPayload };
