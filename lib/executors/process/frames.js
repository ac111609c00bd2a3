'use strict';
// The kinds of frames on a process's third descriptor, and their bodies.

const { Deserializer, Serializer } = require('node:v8');
const { NOTHING } = require('../../wire/frames.js');

/** The kinds of frames. */
const Kind = Object.freeze({
  /** Tells the process what it starts with. Once, and first. */
  Start: 1,
  /** Brings the process what realm-main.js receives. */
  Message: 2,
  /** Brings the process the reason of a job's cancellation, before that. */
  Reason: 3,
  /** Tells the owner that Node runs. Once, and first. */
  Online: 4,
  /** Brings the owner one of Report. */
  Report: 5,
  /** Tells the owner, without a body, how far its start is: one of Start. */
  State: 6,
  /** Brings the process a job of an entry that it has, in few bytes. */
  Job: 7,
  /** Brings the owner the end of a job, in few bytes. */
  Done: 8,
  /** Shapes of the values that follow, see packing-codec.js. */
  Shapes: 9,
  /** A large buffer of the value that follows: all of its bytes. */
  Buffer: 10,
});

/** @returns {boolean} whether a frame's body is part of what is made of it */
const isKept = (kind) => kind === Kind.Buffer;

/**
 * @param {unknown} value
 * @param {Buffer} [before] bytes that come first
 * @returns {Buffer} its structured clone, as V8 writes one
 * @throws {Error} for what cannot be cloned between processes
 */
function serialize(value, before = NOTHING) {
  const writer = new Serializer();
  writer.writeRawBytes(before);
  writer.writeHeader();
  writer.writeValue(value);
  return writer.releaseBuffer();
}

/**
 * @param {Uint8Array} bytes from `serialize`; typed arrays in the value have
 *   memory of their own
 * @throws {Error} for other bytes
 */
function deserialize(bytes) {
  const reader = new Deserializer(bytes);
  reader.readHeader();
  return reader.readValue();
}

/**
 * @returns {boolean} whether it can be sent. Shared memory cannot, nor can a
 *   compiled module of WebAssembly, which V8 writes and does not read
 */
function canTravel(value) {
  try {
    deserialize(serialize(value));
    return true;
  } catch {
    return false;
  }
}

module.exports = { Kind, canTravel, deserialize, isKept, serialize };
