'use strict';
// Payloads of the codec as bytes, for processes without a serializer that could
// be trusted: src/sandbox/payload_bytes.h tells the layout, and has the other
// end.

const {
  KIND_NUMBER,
  KIND_STRING,
  KIND_STRUCTURED,
} = require('../protocol/codec/grammar.js');
const { append, isView, list } = require('../protocol/codec/captured.js');
const {
  allocUnsafe,
  bufferFrom,
  latin1Of,
  partOf,
  put,
  readDouble,
  readWord,
  wideOf,
  writeDouble,
  writeWord,
} = require('./buffers.js');
const { checkStructure } = require('./payload-check.js');
const { FrameError, LARGE_BYTES } = require('./frames.js');

const HEAD_BYTES = 24;
const TWO_BYTES = 2 ** 31;
const SLOT_BYTES = 8;
const Octets = Uint8Array;
const Slots = Float64Array;
const NOTHING = list();
const NO_SLOTS = new Slots(0);
const NONE = Buffer.alloc(0);

const octetsOf = (part) =>
  isView(part)
    ? new Octets(part.buffer, part.byteOffset, part.byteLength)
    : new Octets(part);

// Whether a buffer of so many bytes may come before the payload.
const isLarge = (length) => length > LARGE_BYTES;

// Latin-1 if it can be, because most texts are.
function bytesOfText(text) {
  const narrow = bufferFrom(text, 'latin1');
  return latin1Of(narrow) === text
    ? { bytes: narrow, word: text.length }
    : { bytes: bufferFrom(text, 'utf16le'), word: text.length + TWO_BYTES };
}

// Lists without a prototype, as the codec's.
function map(from, change) {
  const to = list();
  for (let i = 0; i < from.length; i += 1) append(to, change(from[i]));
  return to;
}

function textsOf({ text, more }) {
  if (more?.[0]) return map(more[0], bytesOfText);
  const one = list();
  append(one, bytesOfText(text ?? ''));
  return one;
}

// All that a number and its like have.
function packHead(kind, number, before) {
  const packed = allocUnsafe(before.length + HEAD_BYTES);
  put(packed, before);
  let at = before.length;
  at = writeWord(packed, kind, at);
  for (let i = 0; i < 3; i += 1) at = writeWord(packed, 0, at);
  writeDouble(packed, number, at);
  return packed;
}

/**
 * @param {object} encoding from the codec's `encode`, without shared memory
 * @param {Buffer} [before] bytes that come first
 * @param {Uint8Array[]} [large] a list that gets the large buffers, which are the
 *   caller's, and are left out
 * @returns {Buffer} all else, independent of the caller's buffers
 */
function packPayload(encoding, before = NONE, large = undefined) {
  const { kind, number, slots, slotCount, more } = encoding;
  if (kind < KIND_STRING) return packHead(kind, number, before);
  const texts = textsOf(encoding);
  const buffers = map(more?.[1] ?? NOTHING, octetsOf);
  const inside = large === undefined ? buffers : list();
  const count = kind === KIND_STRUCTURED ? slotCount : 0;
  let size = HEAD_BYTES + (texts.length + buffers.length) * 4;
  size += count * SLOT_BYTES;
  for (let i = 0; i < texts.length; i += 1) size += texts[i].bytes.length;
  if (large !== undefined) {
    for (let i = 0; i < buffers.length; i += 1) {
      append(isLarge(buffers[i].length) ? large : inside, buffers[i]);
    }
  }
  for (let i = 0; i < inside.length; i += 1) size += inside[i].length;
  const packed = allocUnsafe(before.length + size);
  put(packed, before);
  let at = writeWord(packed, kind, before.length);
  at = writeWord(packed, count, at);
  at = writeWord(packed, texts.length, at);
  at = writeWord(packed, buffers.length, at);
  at = writeDouble(packed, number, at);
  for (let i = 0; i < texts.length; i += 1) {
    at = writeWord(packed, texts[i].word, at);
  }
  for (let i = 0; i < buffers.length; i += 1) {
    at = writeWord(packed, buffers[i].length, at);
  }
  if (count > 0) {
    const { buffer, byteOffset } = slots;
    put(packed, new Octets(buffer, byteOffset, count * SLOT_BYTES), at);
    at += count * SLOT_BYTES;
  }
  for (let i = 0; i < texts.length; i += 1) {
    put(packed, texts[i].bytes, at);
    at += texts[i].bytes.length;
  }
  for (let i = 0; i < inside.length; i += 1) {
    put(packed, inside[i], at);
    at += inside[i].length;
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
  #given;
  #taken = 0;

  constructor(bytes, given) {
    this.#bytes = bytes;
    this.#given = given;
  }

  take(size) {
    const from = this.#at;
    if (size > this.#bytes.length - from) refuse();
    this.#at += size;
    return partOf(this.#bytes, from, this.#at);
  }

  words(count) {
    const bytes = this.take(count * 4);
    const words = list();
    for (let i = 0; i < count; i += 1) append(words, readWord(bytes, i * 4));
    return words;
  }

  // The slots have memory of their own, which is aligned.
  slots(count) {
    const bytes = this.take(count * SLOT_BYTES);
    const slots = new Slots(count);
    put(new Octets(slots.buffer), bytes);
    return slots;
  }

  text(word) {
    const isWide = word >= TWO_BYTES;
    const length = isWide ? word - TWO_BYTES : word;
    const bytes = this.take(isWide ? length * 2 : length);
    return isWide ? wideOf(bytes) : latin1Of(bytes);
  }

  buffer(size) {
    if (this.#given !== undefined && isLarge(size)) return this.#take(size);
    const bytes = this.take(size);
    const copy = new Octets(size);
    put(copy, bytes);
    return copy.buffer;
  }

  #take(size) {
    if (this.#taken === this.#given.length) refuse();
    const buffer = this.#given[this.#taken];
    this.#taken += 1;
    if (buffer.byteLength !== size) refuse();
    return buffer;
  }

  get isAtEnd() {
    const taken = this.#taken === (this.#given ?? NOTHING).length;
    return taken && this.#at === this.#bytes.length;
  }
}

// Lists are dear beside a number: a head alone has none.
function readHead(bytes, given) {
  const kind = readWord(bytes, 0);
  const number = readDouble(bytes, 16);
  for (let at = 4; at < 16; at += 4) if (readWord(bytes, at) !== 0) refuse();
  if (given?.length > 0 || kind > KIND_STRING) refuse();
  if (kind === KIND_NUMBER && number - number !== 0) refuse();
  return { kind, number, slots: NO_SLOTS, text: undefined, more: undefined };
}

/**
 * Reads what somebody who is not trusted has written. Nothing is made that is
 * larger than some times the bytes.
 *
 * @param {Buffer} bytes
 * @param {number[]} [shapes] the numbers of keys of known shapes
 * @param {ArrayBuffer[]} [given] all buffers of more than LARGE_BYTES, which have
 *   come before
 * @returns {object} for the codec's `decode`: `{ kind, number, slots, text,
 *   more }`
 * @throws {FrameError}
 */
function unpackPayload(bytes, shapes = NOTHING, given = undefined) {
  if (bytes.length === HEAD_BYTES) return readHead(bytes, given);
  const parts = new Parts(bytes, given);
  const head = parts.take(HEAD_BYTES);
  const kind = readWord(head, 0);
  const slotCount = readWord(head, 4);
  const textCount = readWord(head, 8);
  const bufferCount = readWord(head, 12);
  const number = readDouble(head, 16);
  if (kind > KIND_STRUCTURED) refuse();
  const words = parts.words(textCount + bufferCount);
  const slots = parts.slots(slotCount);
  const texts = list();
  const further = list();
  for (let i = 0; i < textCount; i += 1) {
    const text = parts.text(words[i]);
    append(texts, text);
    if (i > 0) append(further, text);
  }
  const buffers = list();
  for (let i = textCount; i < words.length; i += 1) {
    append(buffers, parts.buffer(words[i]));
  }
  if (!parts.isAtEnd) refuse();
  const text = texts[0];
  if (kind !== KIND_STRUCTURED) {
    const most = kind === KIND_STRING ? 1 : 0;
    if (slotCount > 0 || bufferCount > 0 || textCount > most) refuse();
    if (kind === KIND_NUMBER && number - number !== 0) refuse();
    return { kind, number, slots, text, more: undefined };
  }
  if (!checkStructure(slots, texts, buffers, shapes)) refuse();
  return { kind, number, slots, text, more: [slots, further, buffers] };
}

module.exports = { packPayload, unpackPayload };
