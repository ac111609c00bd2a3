'use strict';
// Jobs and their ends in few bytes: making a serializer of V8's costs more than
// all else of a tiny job. And values in those that are read fastest.

const { Packed } = require('../owned/packed.js');
const {
  allocUnsafe,
  latin1Of,
  partOf,
  readDouble,
  readWord,
  wideOf,
  writeDouble,
  writeLatin1,
  writeWide,
  writeWord,
} = require('../../wire/buffers.js');
const { SMALL_BYTES } = require('../../wire/frames.js');
const { deserialize, serialize } = require('./frames.js');
const { Report } = require('../owned/reports.js');

const { byteLength } = Buffer;
// Read now, because jobs share the process's realm.
const ownBigInt = BigInt;
const JOB_BYTES = 48;
const DONE_BYTES = 12;
const MAX_TEXT = 1024;

/** The first byte of a packed value. */
const Tag = Object.freeze({
  Undefined: 0,
  Number: 1,
  Text: 2,
  Cloned: 3,
  /** A value in the codec's grammar, see owned/packing-codec.js. */
  Packed: 4,
  /** A long text of ASCII, which V8's serializer reads ten times as slowly. */
  Ascii: 5,
});
const CLONED = Buffer.of(Tag.Cloned);
const PACKED_MARK = Buffer.of(Tag.Packed);
const UNDEFINED = Buffer.of(Tag.Undefined);

const ASCII = Buffer.of(Tag.Ascii);

const isAscii = (text) => byteLength(text) === text.length;

/** A long text of ASCII on its way: bytes of it only when it is written. */
class AsciiText {
  /** What comes before it. */
  static mark = ASCII;

  constructor(text) {
    this.text = text;
  }

  /** @returns {number} of all bytes */
  get length() {
    return 1 + this.text.length;
  }

  /** @returns {Buffer} as of `pack` */
  toBytes() {
    return packAscii(this.text);
  }
}

function packAscii(text) {
  const bytes = allocUnsafe(1 + text.length);
  bytes[0] = Tag.Ascii;
  writeLatin1(bytes, text, 1, text.length);
  return bytes;
}

/** @returns {Buffer} a value as it travels @throws {Error} as `serialize` */
function pack(value) {
  if (value === undefined) return UNDEFINED;
  if (typeof value === 'number') {
    const bytes = allocUnsafe(9);
    bytes[0] = Tag.Number;
    writeDouble(bytes, value, 1);
    return bytes;
  }
  if (typeof value === 'string' && value.length <= MAX_TEXT) {
    const bytes = allocUnsafe(1 + value.length * 2);
    bytes[0] = Tag.Text;
    writeWide(bytes, value, 1, value.length * 2);
    return bytes;
  }
  if (value instanceof Packed) return value.bytes;
  if (typeof value === 'string' && isAscii(value)) return packAscii(value);
  return serialize(value, CLONED);
}

/** @returns {Buffer | AsciiText} as `pack`, without the bytes of a long text */
function packLater(value) {
  return typeof value === 'string' &&
    value.length >= SMALL_BYTES &&
    isAscii(value)
    ? new AsciiText(value)
    : pack(value);
}

/**
 * @param {Uint8Array} packed
 * @param {(bytes: Buffer) => unknown} read reads what packing-codec.js wrote
 * @param {number} [at] where it begins
 * @throws {Error} for bytes that are not from `pack`
 */
function unpack(packed, read, at = 0) {
  const tag = packed[at];
  const from = at + 1;
  if (tag === Tag.Undefined) return undefined;
  if (tag === Tag.Number) return readDouble(packed, from);
  if (tag === Tag.Text) return wideOf(packed, from, packed.length);
  if (tag === Tag.Ascii) return latin1Of(packed, from, packed.length);
  if (tag === Tag.Cloned) return deserialize(partOf(packed, from));
  if (tag === Tag.Packed) return read(partOf(packed, from));
  throw new Error('a value of no known kind');
}

/**
 * @param {object} message see realm-main.js
 * @returns {Buffer | undefined} the body of a frame Kind.Job before its packed
 *   input; undefined if that has no place for it all
 */
function jobHead(job) {
  const { entry, forget, id, mode, remainingMs, runMs, shared } = job;
  if (entry !== undefined || shared !== undefined || forget.length > 0) {
    return undefined;
  }
  const { aheadAt = 0n, slot = -1 } = job;
  const bytes = allocUnsafe(JOB_BYTES);
  writeDouble(bytes, id, 0);
  writeDouble(bytes, mode, 8);
  writeDouble(bytes, remainingMs, 16);
  writeDouble(bytes, runMs, 24);
  writeDouble(bytes, slot, 32);
  writeDouble(bytes, Number(aheadAt), 40);
  return bytes;
}

/** @returns {object} the message of a frame Kind.Job */
function jobOf(seq, body) {
  const slot = readDouble(body, 32);
  const isAhead = slot >= 0;
  return {
    seq,
    aheadAt: isAhead ? ownBigInt(readDouble(body, 40)) : undefined,
    slot: isAhead ? slot : undefined,
    entry: undefined,
    forget: [],
    id: readDouble(body, 0),
    mode: readDouble(body, 8),
    remainingMs: readDouble(body, 16),
    runMs: readDouble(body, 24),
    input: partOf(body, JOB_BYTES),
    shared: undefined,
  };
}

/** @returns {Buffer} the body of a frame Kind.Done before its packed value */
function doneHead({ detail, spoilt, status }) {
  const bytes = allocUnsafe(DONE_BYTES);
  writeWord(bytes, status, 0);
  writeWord(bytes, detail, 4);
  writeWord(bytes, spoilt ? 1 : 0, 8);
  return bytes;
}

/** @returns {object} the report @throws {Error} for other bytes */
const doneOf = (seq, body, read) => ({
  kind: Report.Done,
  seq,
  status: readWord(body, 0),
  detail: readWord(body, 4),
  spoilt: readWord(body, 8) === 1,
  value: unpack(body, read, DONE_BYTES),
});

/**
 * @param {object} message whose `value` may be a Packed
 * @returns {[number, Buffer, Buffer?]} the number of its frame, which is the
 *   length of the second part, and the two parts of its body
 */
function messageParts(message) {
  const { value } = message;
  if (!(value instanceof Packed)) return [0, serialize(message)];
  const head = serialize({ ...message, value: undefined });
  return [value.bytes.length, head, value.bytes];
}

/** @returns {object} the message @throws {Error} for other bytes */
function messageOf(length, body, read) {
  const end = body.length - length;
  const message = deserialize(partOf(body, 0, end));
  if (length > 0) message.value = unpack(body, read, end);
  return message;
}

module.exports = {
  AsciiText,
  PACKED_MARK,
  doneHead,
  doneOf,
  jobHead,
  jobOf,
  messageOf,
  messageParts,
  pack,
  packLater,
  unpack,
};
