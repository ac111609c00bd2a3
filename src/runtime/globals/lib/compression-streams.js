'use strict';

const { bytesOf } = require('./buffer-source.js');
const { createEngine } = require('./compression-engine.js');
const { exposeHalves, streamOperations } = require('./codec-streams.js');

const FORMATS = ['deflate', 'deflate-raw', 'gzip'];

function chunkBytes(chunk) {
  const bytes = bytesOf(chunk);
  if (bytes !== undefined) return bytes;
  throw new TypeError('chunk is not a BufferSource');
}

const afterTheEnd = () =>
  new TypeError('There is more data after the end of the compressed data');

/** CompressionStream and DecompressionStream over Node's zlib. */
function createCompression(streams) {
  const { enqueue, transformOf } = streamOperations(streams);

  function compression(name, direction) {
    const Class = {
      [name]: class {
        #transform;

        constructor(format) {
          const kind = `${format}`;
          if (!FORMATS.includes(kind)) {
            throw new TypeError(`${name}: unsupported format '${kind}'`);
          }
          let engine;
          this.#transform = transformOf({
            start(controller) {
              engine = createEngine(direction, kind, (piece) =>
                enqueue(controller, piece),
              );
            },
            transform(chunk) {
              if (!engine.push(chunkBytes(chunk))) throw afterTheEnd();
            },
            flush: () => engine.end(),
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
