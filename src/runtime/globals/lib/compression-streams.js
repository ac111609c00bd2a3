'use strict';

const { exposeHalves } = require('./codec-streams.js');

const FORMATS = {
  deflate: { raw: false },
  'deflate-raw': { raw: true },
  gzip: { gzip: true },
};

function bytesOf(chunk) {
  const { types } = require('sw:inspect');
  if (ArrayBuffer.isView(chunk) && types.isArrayBuffer(chunk.buffer)) {
    return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  if (types.isArrayBuffer(chunk)) return new Uint8Array(chunk);
  throw new TypeError('chunk is not a BufferSource');
}

const afterTheEnd = () =>
  new TypeError('There is more data after the end of the compressed data');

/** CompressionStream and DecompressionStream over the zlib bundle's engine. */
function createCompression(TransformStream) {
  function compression(name, direction) {
    const Class = {
      [name]: class {
        #transform;

        constructor(format) {
          const kind = `${format}`;
          if (!Object.hasOwn(FORMATS, kind)) {
            throw new TypeError(`${name}: unsupported format '${kind}'`);
          }
          const { createEngine } = require('sw:deflate');
          let engine;
          this.#transform = new TransformStream({
            start(controller) {
              engine = createEngine(direction, FORMATS[kind], (piece) =>
                controller.enqueue(piece),
              );
            },
            transform(chunk) {
              const bytes = bytesOf(chunk);
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
