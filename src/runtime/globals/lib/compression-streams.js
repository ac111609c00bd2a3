'use strict';

const { bytesOf } = require('./buffer-source.js');
const { exposeHalves, streamOperations } = require('./codec-streams.js');

const FORMATS = {
  deflate: { raw: false },
  'deflate-raw': { raw: true },
  gzip: { gzip: true },
};

function chunkBytes(chunk) {
  const bytes = bytesOf(chunk);
  if (bytes !== undefined) return bytes;
  throw new TypeError('chunk is not a BufferSource');
}

const afterTheEnd = () =>
  new TypeError('There is more data after the end of the compressed data');

/** CompressionStream and DecompressionStream over the zlib bundle's engine. */
function createCompression(streams) {
  const { enqueue, transformOf } = streamOperations(streams);

  function compression(name, direction) {
    const Class = {
      [name]: class {
        #transform;

        constructor(format) {
          const kind = `${format}`;
          if (!Object.hasOwn(FORMATS, kind)) {
            throw new TypeError(`${name}: unsupported format '${kind}'`);
          }
          const { createEngine, createInflater } = require('sw:deflate');
          let engine;
          this.#transform = transformOf({
            start(controller) {
              const onPiece = (piece) => enqueue(controller, piece);
              engine =
                direction === 'inflate'
                  ? createInflater(FORMATS[kind], onPiece)
                  : createEngine(direction, FORMATS[kind], onPiece);
            },
            transform(chunk) {
              const bytes = chunkBytes(chunk);
              if (engine.ended() && bytes.length > 0) throw afterTheEnd();
              engine.push(bytes, false);
              if (engine.hasRest()) throw afterTheEnd();
            },
            flush() {
              engine.push(new Uint8Array(0), true);
            },
          });
        }

        static halves(stream) {
          return stream.#transform;
        }
      },
    }[name];
    const { halves } = Class;
    delete Class.halves;
    exposeHalves(Class, halves);
    return Class;
  }
  return {
    CompressionStream: compression('CompressionStream', 'deflate'),
    DecompressionStream: compression('DecompressionStream', 'inflate'),
  };
}

module.exports = { createCompression };
