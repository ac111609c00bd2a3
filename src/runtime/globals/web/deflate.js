'use strict';

// The one compression engine behind node:zlib and the compression streams.

const {
  Deflate,
  Inflate,
  ZStream,
  zlibDeflate,
  zlibDeflateInit2,
  zlibInflate,
  zlibInflateInit2,
} = require('pako');

const CODES = {
  '-2': 'Z_STREAM_ERROR',
  '-3': 'Z_DATA_ERROR',
  '-5': 'Z_BUF_ERROR',
  2: 'Z_NEED_DICT',
};

function zlibError(status, message) {
  const error = new TypeError(
    status === -5 ? 'unexpected end of file' : message,
  );
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
 *   ended: () => boolean, hasRest: () => boolean }}
 */
function createEngine(direction, options, onPiece) {
  const given = withoutGaps(options);
  const engine =
    direction === 'deflate'
      ? new Deflate(given)
      : new Inflate(inflateOptions(given));
  engine.onData = onPiece;
  engine.onEnd = () => {};
  return {
    push(bytes, flush) {
      engine.push(bytes, flush);
      if (engine.err !== 0) throw zlibError(engine.err, engine.msg);
    },
    ended: () => engine.ended,
    // Whether bytes of the last piece came after the end.
    hasRest: () => engine.ended && engine.strm.avail_in > 0,
  };
}

const PIECE = 65_536;
const Z_STREAM_END = 1;
const Z_BUF_ERROR = -5;

/** As createEngine for inflating, but data after the first end is left over. */
function createInflater(options, onPiece) {
  const stream = new ZStream();
  const { windowBits } = inflateOptions(options);
  zlibInflateInit2(stream, options.raw ? -windowBits : windowBits);
  stream.output = new Uint8Array(PIECE);
  let isEnded = false;

  function step() {
    stream.next_out = 0;
    stream.avail_out = PIECE;
    const status = zlibInflate(stream, 0);
    if (![0, Z_STREAM_END, Z_BUF_ERROR].includes(status)) {
      throw zlibError(status, stream.msg);
    }
    if (stream.next_out > 0) onPiece(stream.output.slice(0, stream.next_out));
    isEnded = status === Z_STREAM_END;
  }

  return {
    push(bytes, isLast) {
      stream.input = bytes;
      stream.next_in = 0;
      stream.avail_in = bytes.length;
      if (!isEnded)
        do step();
        while (!isEnded && stream.avail_out === 0);
      if (isLast && !isEnded) throw zlibError(Z_BUF_ERROR);
    },
    ended: () => isEnded,
    hasRest: () => isEnded && stream.avail_in > 0,
  };
}

const Z_DEFLATED = 8;

/** zlib's own call, for callers with an output buffer. */
function createHandle(direction, options) {
  const { level, memLevel, raw, gzip, strategy, windowBits, auto } =
    withoutGaps(options);
  const stream = new ZStream();
  if (direction === 'deflate') {
    const plain = windowBits ?? 15;
    const bits = raw ? -plain : plain + (gzip ? 16 : 0);
    zlibDeflateInit2(
      stream,
      level ?? -1,
      Z_DEFLATED,
      bits,
      memLevel ?? 8,
      strategy ?? 0,
    );
  } else {
    const { windowBits: bits } = inflateOptions({
      raw,
      gzip,
      auto,
      windowBits,
    });
    zlibInflateInit2(stream, raw ? -bits : bits);
  }
  const step = direction === 'deflate' ? zlibDeflate : zlibInflate;
  return {
    /** @returns {[number, number]} bytes left of the input, of the output */
    writeSync(flush, input, inOffset, inLength, output, outOffset, outLength) {
      stream.input = input ?? new Uint8Array(0);
      stream.next_in = inOffset;
      stream.avail_in = inLength ?? 0;
      stream.output = output;
      stream.next_out = outOffset;
      stream.avail_out = outLength;
      const status = step(stream, flush);
      if (status < 0 && status !== -5) throw zlibError(status, stream.msg);
      return [stream.avail_in, stream.avail_out];
    },
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

module.exports = { crc32, createEngine, createHandle, createInflater };
