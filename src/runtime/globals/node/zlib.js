'use strict';

const { Buffer } = require('node:buffer');
const deflate = require('sw:deflate');
const types = require('node:util/types');

const { invalidArgument, needFunction, nodeError } =
  require('../lib/node-error.js');
const { unsupported } = require('../lib/unsupported.js');
const { createStreamClass } = require('../lib/zlib-streams.js');

const CONSTANTS = Object.freeze({
  Z_NO_FLUSH: 0,
  Z_PARTIAL_FLUSH: 1,
  Z_SYNC_FLUSH: 2,
  Z_FULL_FLUSH: 3,
  Z_FINISH: 4,
  Z_BLOCK: 5,
  Z_OK: 0,
  Z_STREAM_END: 1,
  Z_NEED_DICT: 2,
  Z_ERRNO: -1,
  Z_STREAM_ERROR: -2,
  Z_DATA_ERROR: -3,
  Z_MEM_ERROR: -4,
  Z_BUF_ERROR: -5,
  Z_VERSION_ERROR: -6,
  Z_NO_COMPRESSION: 0,
  Z_BEST_SPEED: 1,
  Z_BEST_COMPRESSION: 9,
  Z_DEFAULT_COMPRESSION: -1,
  Z_FILTERED: 1,
  Z_HUFFMAN_ONLY: 2,
  Z_RLE: 3,
  Z_FIXED: 4,
  Z_DEFAULT_STRATEGY: 0,
  Z_MIN_WINDOWBITS: 8,
  Z_MAX_WINDOWBITS: 15,
  Z_DEFAULT_WINDOWBITS: 15,
  Z_MIN_CHUNK: 64,
  Z_MAX_CHUNK: Number.POSITIVE_INFINITY,
  Z_DEFAULT_CHUNK: 16_384,
  Z_MIN_MEMLEVEL: 1,
  Z_MAX_MEMLEVEL: 9,
  Z_DEFAULT_MEMLEVEL: 8,
  Z_MIN_LEVEL: -1,
  Z_MAX_LEVEL: 9,
  Z_DEFAULT_LEVEL: -1,
});

// class name, direction, format of the engine
const CLASSES = [
  ['Deflate', 'deflate', {}],
  ['Inflate', 'inflate', {}],
  ['Gzip', 'deflate', { gzip: true }],
  ['Gunzip', 'inflate', { gzip: true }],
  ['DeflateRaw', 'deflate', { raw: true }],
  ['InflateRaw', 'inflate', { raw: true }],
  ['Unzip', 'inflate', { auto: true }],
];

function toBytes(data, name = 'buffer') {
  if (typeof data === 'string') return Buffer.from(data);
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  if (types.isAnyArrayBuffer(data)) return new Uint8Array(data);
  throw invalidArgument(
    name,
    'of type string or an instance of Buffer, TypedArray, DataView, or ArrayBuffer',
    data,
  );
}

const toEngine = ({
  chunkSize,
  dictionary,
  level,
  memLevel,
  strategy,
  windowBits,
}) => ({
  chunkSize,
  dictionary: dictionary && toBytes(dictionary, 'options.dictionary'),
  level,
  memLevel,
  strategy,
  windowBits,
});

/** `options.maxOutputLength` bounds what a small input may become. */
function runSync(direction, format, data, options = {}) {
  const limit = options.maxOutputLength ?? Number.POSITIVE_INFINITY;
  const pieces = [];
  let size = 0;
  const engine = deflate.createEngine(
    direction,
    { ...toEngine(options), ...format },
    (piece) => {
      size += piece.length;
      if (size > limit) {
        throw nodeError(
          RangeError,
          'ERR_BUFFER_TOO_LARGE',
          `Cannot create a Buffer larger than ${limit} bytes`,
        );
      }
      pieces.push(piece);
    },
  );
  engine.push(toBytes(data), options.finishFlush ?? CONSTANTS.Z_FINISH);
  return Buffer.concat(pieces);
}

module.exports = {
  constants: CONSTANTS,
  crc32: (data, start = 0) => deflate.crc32(toBytes(data, 'data'), start),
};

for (const [name, direction, format] of CLASSES) {
  const Class = createStreamClass(name, direction, format, toEngine, CONSTANTS);
  const method = name[0].toLowerCase() + name.slice(1);
  const sync = (data, options) => runSync(direction, format, data, options);
  module.exports[name] = Class;
  module.exports[`create${name}`] = (options) => new Class(options);
  module.exports[`${method}Sync`] = sync;
  module.exports[method] = (data, options, callback = options) => {
    needFunction(callback);
    const { setImmediate } = require('sw:timers');
    let result;
    try {
      result = sync(data, typeof options === 'object' ? options : {});
    } catch (error) {
      if (error.code === 'ERR_INVALID_ARG_TYPE') throw error;
      setImmediate(callback, error);
      return;
    }
    setImmediate(callback, null, result);
  };
}

for (const name of [
  'brotliCompress',
  'brotliDecompress',
  'zstdCompress',
  'zstdDecompress',
]) {
  const Class = name[0].toUpperCase() + name.slice(1);
  module.exports[Class] = unsupported('zlib', Class);
  module.exports[`create${Class}`] = unsupported('zlib', `create${Class}`);
  module.exports[name] = unsupported('zlib', name);
  module.exports[`${name}Sync`] = unsupported('zlib', `${name}Sync`);
}
for (const name of Object.keys(CONSTANTS)) {
  Object.defineProperty(module.exports, name, { value: CONSTANTS[name] });
}
