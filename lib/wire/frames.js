'use strict';
// The messages of owner and process over a socket: frames of 16 bytes and a
// body. Little endian: the mark, the kind (one byte, three that are 0), a number
// that only its kind knows, the body's length.

const { uncurry } = require('../protocol/codec/captured.js');
const {
  allocAlone,
  allocUnsafe,
  bufferFrom,
  concat,
  partOf,
  put,
  readWord,
  writeWord,
} = require('./buffers.js');

const { min } = Math;
const { prototype } = Array;
const popFrom = uncurry(prototype.pop);
const pushTo = uncurry(prototype.push);
const shiftFrom = uncurry(prototype.shift);
const unshiftTo = uncurry(prototype.unshift);
const HEADER_BYTES = 16;
const MARK = 0x31465753;
const SMALL_BYTES = 16 * 1024;
/** A longer part is worth its own memory, or frame. */
const LARGE_BYTES = 64 * 1024;
// Bodies that nobody keeps are up to so long read into the same memory, because
// the system maps each page of new memory when it is first written.
const LENT_BYTES = 2 ** 21;

/** Bytes that are no frame, or a frame longer than it may be. */
class FrameError extends Error {}

const NOTHING = Buffer.alloc(0);

function putHeader(bytes, kind, number, length) {
  writeWord(bytes, MARK, 0);
  writeWord(bytes, kind, 4);
  writeWord(bytes, number, 8);
  writeWord(bytes, length, 12);
}

/** @returns {Buffer} the header of a frame */
function headerOf(kind, number, length) {
  const header = allocUnsafe(HEADER_BYTES);
  putHeader(header, kind, number, length);
  return header;
}

/**
 * @param {(bytes: Buffer) => void} write is called once for a small frame,
 *   because a call of the system costs more than a copy of that
 * @param {number} kind
 * @param {number} number
 * @param {Uint8Array} head of the body, which is copied
 * @param {Uint8Array | { length: number }} [rest] of the body, which is not copied
 *   if it is large; what is more than SMALL_BYTES may be all that `write` knows
 */
function writeFrame(write, kind, number, head, rest = NOTHING) {
  const length = head.length + rest.length;
  const isSmall = length <= SMALL_BYTES;
  const size = HEADER_BYTES + (isSmall ? length : head.length);
  const bytes = allocUnsafe(size);
  putHeader(bytes, kind, number, length);
  put(bytes, head, HEADER_BYTES);
  if (isSmall) put(bytes, rest, HEADER_BYTES + head.length);
  write(bytes);
  if (!isSmall && rest.length > 0) write(rest);
}

/** Makes frames of the chunks of a stream. */
class FrameReader {
  #chunks = [];
  #size = 0;
  #header = null;
  // Of a large body, as far as it has come.
  #whole = null;
  #filled = 0;
  // The memory of large bodies that are not kept.
  #lent = null;
  #take;
  #limitOf;
  #trusts;
  #isKept;
  #isStopped = false;

  /**
   * @param {(kind: number, number: number, body: Buffer) => void} take
   * @param {(kind: number) => number} limitOf the bytes of a body of that kind
   * @param {boolean} [trusts] a large body gets all of its memory, which nothing
   *   else is in, before it has come
   * @param {(kind: number) => boolean} [isKept] whether `take` keeps a large body
   *   of that kind; the memory of another is the next one's
   */
  constructor(take, limitOf, trusts = false, isKept = () => true) {
    this.#take = take;
    this.#limitOf = limitOf;
    this.#trusts = trusts;
    this.#isKept = isKept;
  }

  /**
   * As `push`, of a chunk whose memory the caller uses again.
   *
   * @throws {FrameError} as `push`
   */
  pushLent(chunk) {
    if (this.#isStopped) return;
    this.push(chunk);
    if (this.#size > 0) this.#keepLast();
  }

  // The last chunk is copied. Small ones become one of the double size, because a
  // list of all would be longer than what it holds, and slow to shift.
  #keepLast() {
    const chunks = this.#chunks;
    let last = bufferFrom(popFrom(chunks));
    while (
      chunks.length > 0 &&
      last.length < SMALL_BYTES &&
      chunks[chunks.length - 1].length <= last.length
    ) {
      const before = popFrom(chunks);
      last = concat([before, last], before.length + last.length);
    }
    pushTo(chunks, last);
  }

  /** Chunks that come afterwards are nobody's. */
  stop() {
    this.#isStopped = true;
  }

  /** @throws {FrameError} before any of a wrong frame's body is waited for */
  push(chunk) {
    if (this.#takeAlone(chunk)) return;
    pushTo(this.#chunks, chunk);
    this.#size += chunk.length;
    for (;;) {
      this.#header ??= this.#readHeader();
      if (this.#header === null) return;
      const { kind, number, length } = this.#header;
      const isLarge = this.#trusts && length > LARGE_BYTES;
      if (isLarge ? !this.#fill(kind, length) : this.#size < length) return;
      const body = this.#whole ?? this.#shift(length);
      this.#header = this.#whole = null;
      this.#take(kind, number, body);
    }
  }

  /** @returns {boolean} it was one small frame, as most are: none has lists then */
  #takeAlone(chunk) {
    if (this.#size > 0 || this.#header !== null) return false;
    if (chunk.length < HEADER_BYTES || chunk.length > SMALL_BYTES) return false;
    if (chunk.length !== HEADER_BYTES + readWord(chunk, 12)) return false;
    const { kind, number } = this.#headerIn(chunk);
    this.#take(kind, number, partOf(chunk, HEADER_BYTES));
    return true;
  }

  /** @returns {boolean} whether the body has come */
  #fill(kind, length) {
    if (this.#whole === null) {
      this.#whole = this.#isKept(kind)
        ? allocAlone(length)
        : this.#lend(length);
      this.#filled = 0;
    }
    while (this.#size > 0 && this.#filled < length) {
      const part = this.#shift(
        min(this.#chunks[0].length, length - this.#filled),
      );
      put(this.#whole, part, this.#filled);
      this.#filled += part.length;
    }
    return this.#filled === length;
  }

  #lend(length) {
    if (length > LENT_BYTES) return allocAlone(length);
    if (!(this.#lent?.length >= length)) this.#lent = allocAlone(length);
    return partOf(this.#lent, 0, length);
  }

  #readHeader() {
    if (this.#size < HEADER_BYTES) return null;
    return this.#headerIn(this.#shift(HEADER_BYTES));
  }

  #headerIn(bytes) {
    const length = readWord(bytes, 12);
    const kind = readWord(bytes, 4);
    if (readWord(bytes, 0) !== MARK || kind > 255) {
      throw new FrameError('something else than a frame');
    }
    if (length > this.#limitOf(kind)) throw new FrameError('a frame too long');
    return { kind, number: readWord(bytes, 8), length };
  }

  /** @returns {Buffer} the next bytes. REQUIRES: there are as many */
  #shift(length) {
    const first = this.#chunks[0];
    this.#size -= length;
    if (first !== undefined && first.length > length) {
      this.#chunks[0] = partOf(first, length);
      return partOf(first, 0, length);
    }
    const parts = [];
    for (let wanted = length; wanted > 0; ) {
      const chunk = shiftFrom(this.#chunks);
      const part = partOf(chunk, 0, wanted);
      if (part.length < chunk.length) {
        unshiftTo(this.#chunks, partOf(chunk, part.length));
      }
      pushTo(parts, part);
      wanted -= part.length;
    }
    return parts.length === 1 ? parts[0] : concat(parts, length);
  }
}

module.exports = {
  FrameError,
  FrameReader,
  LARGE_BYTES,
  NOTHING,
  SMALL_BYTES,
  headerOf,
  writeFrame,
};
