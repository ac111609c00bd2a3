'use strict';

const { append, list } = require('../../protocol/codec/captured.js');
const { FrameError, LARGE_BYTES } = require('../../wire/frames.js');
const { Unpacker } = require('../owned/packing-codec.js');
const { Kind, deserialize } = require('./frames.js');
const { doneOf, messageOf } = require('./small-frames.js');

function readable(read) {
  try {
    return read();
  } catch {
    throw new FrameError('a body that nobody can read');
  }
}

/** Makes reports of what a process tells, with the shapes and buffers before them. */
class ReportReader {
  #unpacker = new Unpacker();
  // Those of the value that follows, and their bytes.
  #buffers = list();
  #bufferBytes = 0;
  #mostBytes;

  /** @param {number} mostBytes of the buffers of one value */
  constructor(mostBytes) {
    this.#mostBytes = mostBytes;
  }

  /**
   * @param {number} kind one of Kind
   * @param {number} number of the frame
   * @param {Buffer} body; a large one has its memory alone
   * @returns {object | undefined} a report, one of Report
   * @throws {FrameError} for what no process of ours tells
   */
  take(kind, number, body) {
    if (kind === Kind.Shapes) {
      this.#unpacker.learn(readable(() => deserialize(body)));
      return undefined;
    }
    if (kind === Kind.Buffer) {
      this.#takeBuffer(body);
      return undefined;
    }
    if (kind !== Kind.Report && kind !== Kind.Done) {
      throw new FrameError('a frame of no known kind');
    }
    const parse = kind === Kind.Done ? doneOf : messageOf;
    return readable(() => parse(number, body, this.#read));
  }

  #takeBuffer(body) {
    this.#bufferBytes += body.length;
    if (body.length <= LARGE_BYTES || this.#bufferBytes > this.#mostBytes) {
      throw new FrameError('a buffer too small, or too many of them');
    }
    append(this.#buffers, body.buffer);
  }

  #read = (bytes) => {
    const given = this.#buffers;
    this.#buffers = list();
    this.#bufferBytes = 0;
    return this.#unpacker.read(bytes, given);
  };
}

module.exports = { ReportReader };
