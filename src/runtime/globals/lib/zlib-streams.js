'use strict';

const { Buffer } = require('node:buffer');
const { Transform } = require('node:stream');
const { createEngine, createHandle } = require('sw:deflate');

const CHUNK = 16_384;

/**
 * A class like zlib.Gzip: a Transform over one engine. A function and not a
 * `class`, because packages call Node's without `new` to inherit from it.
 *
 * @param {string} name
 * @param {'deflate' | 'inflate'} direction
 * @param {object} format `{ gzip }`, `{ raw }`, `{ auto }` or `{}`
 * @param {(options: object) => object} toEngine Node's options as the engine's
 * @param {object} flushes the flush constants by name
 */
function createStreamClass(name, direction, format, toEngine, flushes) {
  const engines = new WeakMap();

  function Class(options = {}) {
    if (!(this instanceof Class)) return new Class(options);
    Transform.call(this, options);
    const engineOptions = { ...toEngine(options ?? {}), ...format };
    const onPiece = (piece) =>
      this.push(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
    engines.set(this, createEngine(direction, engineOptions, onPiece));
    this.bytesWritten = 0;
    // The rest is for packages that drive zlib's handle on their own.
    this._chunkSize = options?.chunkSize ?? CHUNK;
    this._outOffset = 0;
    this._outBuffer = Buffer.allocUnsafe(this._chunkSize);
    this._handle = lazyHandle(direction, engineOptions);
    return this;
  }
  Object.setPrototypeOf(Class, Transform);
  Class.prototype = Object.create(Transform.prototype, {
    constructor: { value: Class, writable: true, configurable: true },
  });

  function run(stream, bytes, flush, callback) {
    try {
      engines.get(stream).push(bytes, flush);
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  }

  Object.assign(Class.prototype, {
    _transform(chunk, encoding, callback) {
      const bytes =
        typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
      this.bytesWritten += bytes.length;
      run(this, bytes, flushes.Z_NO_FLUSH, callback);
    },
    _flush(callback) {
      run(this, new Uint8Array(0), flushes.Z_FINISH, callback);
    },
    flush(kind, callback = kind) {
      const flush = typeof kind === 'number' ? kind : flushes.Z_FULL_FLUSH;
      run(this, new Uint8Array(0), flush, (error) => {
        if (error) this.destroy(error);
        else if (typeof callback === 'function') callback();
      });
    },
    close(callback = undefined) {
      if (callback) this.once('close', callback);
      this.destroy();
    },
  });
  return Object.defineProperty(Class, 'name', { value: name });
}

function lazyHandle(direction, options) {
  let handle;
  return {
    writeSync(...args) {
      handle ??= createHandle(direction, options);
      return handle.writeSync(...args);
    },
    close() {
      handle = undefined;
    },
  };
}

module.exports = { createStreamClass };
