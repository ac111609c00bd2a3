'use strict';
// The messages of owner and process over a socket: frames of 16 bytes and a
// body. Little endian: the mark, the kind (one byte, three that are 0), a number
// that only its kind knows, the body's length.

const HEADER_BYTES = 16;
const MARK = 0x31465753;
const SMALL_BYTES = 16 * 1024;

/** Bytes that are no frame, or a frame longer than it may be. */
class FrameError extends Error {}

const NOTHING = Buffer.alloc(0);

function putHeader(bytes, kind, number, length) {
  bytes.writeUInt32LE(MARK, 0);
  bytes.writeUInt32LE(kind, 4);
  bytes.writeUInt32LE(number, 8);
  bytes.writeUInt32LE(length, 12);
}

/** @returns {Buffer} the header of a frame */
function headerOf(kind, number, length) {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  putHeader(header, kind, number, length);
  return header;
}

/**
 * @param {(bytes: Buffer) => void} write is called once for a small frame,
 *   because a call of the system costs more than a copy of that
 * @param {number} kind
 * @param {number} number
 * @param {Uint8Array} head of the body, which is copied
 * @param {Uint8Array} [rest] of the body, which is not copied if it is large
 */
function writeFrame(write, kind, number, head, rest = NOTHING) {
  const length = head.length + rest.length;
  const isSmall = length <= SMALL_BYTES;
  const size = HEADER_BYTES + (isSmall ? length : head.length);
  const bytes = Buffer.allocUnsafe(size);
  putHeader(bytes, kind, number, length);
  bytes.set(head, HEADER_BYTES);
  if (isSmall) bytes.set(rest, HEADER_BYTES + head.length);
  write(bytes);
  if (!isSmall && rest.length > 0) write(rest);
}

/** Makes frames of the chunks of a stream. */
class FrameReader {
  #chunks = [];
  #size = 0;
  #header = null;
  #take;
  #limitOf;

  /**
   * @param {(kind: number, number: number, body: Buffer) => void} take
   * @param {(kind: number) => number} limitOf the bytes of a body of that kind
   */
  constructor(take, limitOf) {
    this.#take = take;
    this.#limitOf = limitOf;
  }

  /** @throws {FrameError} before any of a wrong frame's body is waited for */
  push(chunk) {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    for (;;) {
      this.#header ??= this.#readHeader();
      if (this.#header === null) return;
      const { kind, number, length } = this.#header;
      if (this.#size < length) return;
      this.#header = null;
      this.#take(kind, number, this.#shift(length));
    }
  }

  #readHeader() {
    if (this.#size < HEADER_BYTES) return null;
    const bytes = this.#shift(HEADER_BYTES);
    const length = bytes.readUInt32LE(12);
    if (bytes.readUInt32LE(0) !== MARK || bytes.readUIntLE(5, 3) !== 0) {
      throw new FrameError('something else than a frame');
    }
    const kind = bytes[4];
    if (length > this.#limitOf(kind)) throw new FrameError('a frame too long');
    return { kind, number: bytes.readUInt32LE(8), length };
  }

  /** @returns {Buffer} the next bytes. REQUIRES: there are as many */
  #shift(length) {
    const [first] = this.#chunks;
    this.#size -= length;
    if (first !== undefined && first.length > length) {
      this.#chunks[0] = first.subarray(length);
      return first.subarray(0, length);
    }
    const parts = [];
    for (let wanted = length; wanted > 0; ) {
      const chunk = this.#chunks.shift();
      const part = chunk.subarray(0, wanted);
      if (part.length < chunk.length) {
        this.#chunks.unshift(chunk.subarray(part.length));
      }
      parts.push(part);
      wanted -= part.length;
    }
    return parts.length === 1 ? parts[0] : Buffer.concat(parts, length);
  }
}

/**
 * Feeds a reader with what a process says.
 *
 * @param {Socket} socket
 * @param {FrameReader} reader
 * @param {(error: Error) => void} broken it is wrong, or its taker has thrown
 */
function readFrom(socket, reader, broken) {
  socket.on('data', (chunk) => {
    try {
      reader.push(chunk);
    } catch (error) {
      broken(error);
    }
  });
  // Writes to a process that has gone fail.
  socket.on('error', () => {});
}

module.exports = {
  FrameError,
  FrameReader,
  NOTHING,
  headerOf,
  readFrom,
  writeFrame,
};
