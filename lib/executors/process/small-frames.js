'use strict';
// Jobs and their ends in few bytes: making a serializer of V8's costs more than
// all else of a tiny job. And values in those that are read fastest.

const { Packed } = require('../owned/packed.js');
const { deserialize, serialize } = require('./frames.js');
const { Report } = require('../owned/reports.js');

const { byteLength } = Buffer;
const JOB_BYTES = 32;
const DONE_BYTES = 12;
const MAX_TEXT = 1024;

/** The first byte of a packed value. */
const Tag = Object.freeze({
  Undefined: 0,
  Number: 1,
  Text: 2,
  Cloned: 3,
  /** In the codec's grammar, see owned/packing-codec.js. */
  Packed: 4,
  /** A long text of ASCII, which V8's serializer reads ten times as slowly. */
  Ascii: 5,
});
const CLONED = Buffer.of(Tag.Cloned);
const PACKED_MARK = Buffer.of(Tag.Packed);

function packAscii(text) {
  const bytes = Buffer.allocUnsafe(1 + text.length);
  bytes[0] = Tag.Ascii;
  bytes.write(text, 1, 'latin1');
  return bytes;
}

/** @returns {Buffer} a value as it travels @throws {Error} as `serialize` */
function pack(value) {
  if (value === undefined) return Buffer.of(Tag.Undefined);
  if (typeof value === 'number') {
    const bytes = Buffer.allocUnsafe(9);
    bytes[0] = Tag.Number;
    bytes.writeDoubleLE(value, 1);
    return bytes;
  }
  if (typeof value === 'string' && value.length <= MAX_TEXT) {
    const bytes = Buffer.allocUnsafe(1 + value.length * 2);
    bytes[0] = Tag.Text;
    bytes.write(value, 1, 'utf16le');
    return bytes;
  }
  if (value instanceof Packed) return value.bytes;
  const isText = typeof value === 'string';
  if (isText && byteLength(value) === value.length) return packAscii(value);
  return serialize(value, CLONED);
}

/**
 * @param {Uint8Array} packed
 * @param {(bytes: Buffer) => unknown} read reads what packing-codec.js wrote
 * @throws {Error} for bytes that are not from `pack`
 */
function unpack(packed, read) {
  const { buffer, byteLength, byteOffset } = packed;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const tag = bytes[0];
  if (tag === Tag.Undefined) return undefined;
  if (tag === Tag.Number) return bytes.readDoubleLE(1);
  if (tag === Tag.Text) return bytes.toString('utf16le', 1);
  if (tag === Tag.Cloned) return deserialize(bytes.subarray(1));
  if (tag === Tag.Ascii) return bytes.latin1Slice(1);
  if (tag === Tag.Packed) return read(bytes.subarray(1));
  throw new Error('a value of no known kind');
}

/**
 * @param {object} message see realm-main.js
 * @returns {Buffer | undefined} the body of a frame Kind.Job before its packed
 *   input; undefined if that has no place for it all
 */
function jobHead({ entry, forget, id, mode, remainingMs, runMs, shared }) {
  if (entry !== undefined || shared !== undefined || forget.length > 0) {
    return undefined;
  }
  const bytes = Buffer.allocUnsafe(JOB_BYTES);
  bytes.writeDoubleLE(id, 0);
  bytes.writeDoubleLE(mode, 8);
  bytes.writeDoubleLE(remainingMs, 16);
  bytes.writeDoubleLE(runMs, 24);
  return bytes;
}

/** @returns {object} the message of a frame Kind.Job */
const jobOf = (seq, body) => ({
  seq,
  entry: undefined,
  forget: [],
  id: body.readDoubleLE(0),
  mode: body.readDoubleLE(8),
  remainingMs: body.readDoubleLE(16),
  runMs: body.readDoubleLE(24),
  input: body.subarray(JOB_BYTES),
});

/** @returns {Buffer} the body of a frame Kind.Done before its packed value */
function doneHead({ detail, spoilt, status }) {
  const bytes = Buffer.allocUnsafe(DONE_BYTES);
  bytes.writeUInt32LE(status, 0);
  bytes.writeUInt32LE(detail, 4);
  bytes.writeUInt32LE(spoilt ? 1 : 0, 8);
  return bytes;
}

/** @returns {object} the report @throws {Error} for other bytes */
const doneOf = (seq, body, read) => ({
  kind: Report.Done,
  seq,
  status: body.readUInt32LE(0),
  detail: body.readUInt32LE(4),
  spoilt: body.readUInt32LE(8) === 1,
  value: unpack(body.subarray(DONE_BYTES), read),
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
  const message = deserialize(body.subarray(0, end));
  if (length > 0) message.value = unpack(body.subarray(end), read);
  return message;
}

module.exports = {
  PACKED_MARK,
  doneHead,
  doneOf,
  jobHead,
  jobOf,
  messageOf,
  messageParts,
  pack,
  unpack,
};
