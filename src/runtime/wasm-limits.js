'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Gives the memories of a
// WebAssembly module a maximum, in the module's bytes: V8 does not check for
// interrupts in a loop whose `memory.grow` succeeds, so without a maximum such
// a loop takes all that 32 bits can address. Imported memories have their
// maximum already.
const {
  Octets,
  bufferBytes,
  isView,
  octetsOf,
  sharedBytes,
  viewBuffer,
  viewBytes,
  viewOffset,
  viewSet,
} = require('../../lib/protocol/codec/captured.js');
const { floor, max, min } = require('./primordials.js');

const MEMORY_SECTION = 5;
const HAS_MAX = 1;
const KNOWN_FLAGS = 7; // A maximum, shared, 64 bits.
const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const LONGEST_NUMBER = 10;

/** The bytes of any buffer or view; throws for other values. */
function bytesOf(source) {
  if (isView(source)) return octetsOf(source);
  try {
    bufferBytes(source);
  } catch {
    sharedBytes(source);
  }
  return new Octets(source);
}

// Made for the first module.
let Reader = null;

/** Reads byte by byte; `broken` once the bytes are malformed. */
function readerClass() {
  return class Reader {
    bytes;
    at = 0;
    end;
    broken = false;

    constructor(bytes) {
      this.bytes = bytes;
      this.end = viewBytes(bytes);
    }

    byte() {
      if (this.at < this.end) return this.bytes[this.at++];
      this.broken = true;
      return 0;
    }

    // Unsigned LEB128; of 64 bits, the first 53 are exact.
    number() {
      let value = 0;
      let scale = 1;
      for (let i = 0; i < LONGEST_NUMBER; i++) {
        const byte = this.byte();
        value += (byte & 127) * scale;
        if (byte < 128) return value;
        scale *= 128;
      }
      this.broken = true;
      return 0;
    }
  };
}

/** Writes `value` as at least `width` bytes; returns where it ends. */
function writeNumber(out, from, value, width) {
  let at = from;
  let rest = value;
  while (rest >= 128 || at - from + 1 < width) {
    out[at++] = (rest % 128) + 128;
    rest = floor(rest / 128);
  }
  out[at++] = rest;
  return at;
}

/**
 * Finds the section's content; false if it is missing, or the bytes are no
 * module.
 */
function enterMemorySection(reader) {
  for (let i = 0; i < 8; i++) if (reader.byte() !== HEADER[i]) return false;
  while (reader.at < reader.end) {
    const id = reader.byte();
    const size = reader.number();
    const end = reader.at + size;
    if (reader.broken || end > reader.end) return false;
    if (id === MEMORY_SECTION) {
      reader.end = end;
      return true;
    }
    reader.at = end;
  }
  return false;
}

/** Copies one memory's limits with a maximum; -1 if they are not understood. */
function limitMemory(reader, pages, out, from) {
  const begin = reader.at;
  const flags = reader.byte();
  if ((flags & ~KNOWN_FLAGS) !== 0) return -1;
  const least = reader.number();
  const beforeMax = reader.at;
  const most = flags & HAS_MAX ? reader.number() : Infinity;
  if (reader.broken) return -1;
  const kept = most <= max(least, pages);
  const copied = kept ? reader.at : beforeMax;
  let at = from;
  for (let i = begin; i < copied; i++) out[at++] = reader.bytes[i];
  if (kept) return at;
  out[from] = flags | HAS_MAX;
  return writeNumber(out, at, max(least, pages), reader.at - beforeMax);
}

// The section's size is the number before `begin`.
function replaceSection(bytes, begin, end, section, size) {
  let same = size === end - begin;
  for (let i = 0; same && i < size; i++) same = section[i] === bytes[begin + i];
  if (same) return undefined;
  let sizeAt = begin - 1;
  while (bytes[sizeAt - 1] >= 128) sizeAt -= 1;
  const head = new Octets(LONGEST_NUMBER);
  const headSize = writeNumber(head, 0, size, begin - sizeAt);
  const rest = viewBytes(bytes) - end;
  const made = new Octets(sizeAt + headSize + size + rest);
  const put = (from, offset, count, to) =>
    viewSet(made, new Octets(viewBuffer(from), offset, count), to);
  put(bytes, viewOffset(bytes), sizeAt, 0);
  put(head, 0, headSize, sizeAt);
  put(section, 0, size, sizeAt + headSize);
  put(bytes, viewOffset(bytes) + end, rest, sizeAt + headSize + size);
  return made;
}

function limitBytes(bytes, pages) {
  Reader ??= readerClass();
  const reader = new Reader(bytes);
  if (!enterMemorySection(reader)) return undefined;
  const begin = reader.at;
  const end = reader.end;
  const count = reader.number();
  // A memory takes two bytes at least.
  const room = min(count, end - begin) * LONGEST_NUMBER;
  const section = new Octets(end - begin + room + LONGEST_NUMBER);
  let at = writeNumber(section, 0, count, reader.at - begin);
  for (let i = 0; i < count; i++) {
    at = limitMemory(reader, floor(pages / count), section, at);
    if (at < 0) return undefined;
  }
  if (reader.broken || reader.at !== end) return undefined;
  return replaceSection(bytes, begin, end, section, at);
}

/**
 * @param {unknown} source possibly the bytes of a module
 * @param {number} pages maximum of its memories together; more only if they
 *   begin with more
 * @returns {Uint8Array | undefined} the changed module; undefined if it may
 *   stay as it is, or if V8 will refuse it
 */
runtime.limitWasm = (source, pages) => {
  let bytes;
  try {
    bytes = bytesOf(source);
  } catch {
    return undefined;
  }
  return limitBytes(bytes, pages);
};
