'use strict';

// The one compression engine behind node:zlib and the compression streams.

const { Deflate, Inflate } = require('pako');

const CODES = {
  '-2': 'Z_STREAM_ERROR',
  '-3': 'Z_DATA_ERROR',
  '-5': 'Z_BUF_ERROR',
  2: 'Z_NEED_DICT',
};

function zlibError(status, message) {
  const error = new TypeError(status === -5 ? 'unexpected end of file' : message);
  error.errno = status;
  error.code = CODES[status] ?? 'Z_ERRNO';
  return error;
}

// windowBits 47: zlib or gzip, as the data's head says.
function inflateOptions({ gzip, auto, ...options }) {
  const windowBits = options.windowBits || 15;
  if (options.raw) return { ...options, windowBits };
  if (auto) return { ...options, windowBits: windowBits + 32 };
  return { ...options, windowBits: gzip ? windowBits + 16 : windowBits };
}

function withoutGaps(options) {
  const entries = Object.entries(options);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/**
 * @param {'deflate' | 'inflate'} direction
 * @param {{ raw?: boolean, gzip?: boolean, auto?: boolean, level?: number,
 *   windowBits?: number, memLevel?: number, strategy?: number,
 *   dictionary?: Uint8Array, chunkSize?: number }} options
 * @param {(piece: Uint8Array) => void} onPiece
 * @returns {{ push: (bytes: Uint8Array, flush: boolean | number) => void,
 *   ended: () => boolean }}
 */
function createEngine(direction, options, onPiece) {
  const given = withoutGaps(options);
  const engine =
    direction === 'deflate'
      ? new Deflate(given)
      : new Inflate(inflateOptions(given));
  // Pieces may be views of one buffer that the engine goes on filling.
  engine.onData = (piece) => onPiece(piece.slice());
  engine.onEnd = () => {};
  return {
    push(bytes, flush) {
      engine.push(bytes, flush);
      if (engine.err !== 0) throw zlibError(engine.err, engine.msg);
    },
    ended: () => engine.ended,
  };
}

let crcTable;

function makeCrcTable() {
  return Int32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit += 1) {
      value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    }
    return value;
  });
}

/** CRC-32 of `bytes`, continuing from `start`. */
function crc32(bytes, start = 0) {
  crcTable ??= makeCrcTable();
  let crc = ~start;
  for (const byte of bytes) crc = (crc >>> 8) ^ crcTable[(crc ^ byte) & 255];
  return ~crc >>> 0;
}

module.exports = { crc32, createEngine };
