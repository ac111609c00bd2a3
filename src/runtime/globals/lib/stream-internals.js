'use strict';

// Operations of bodies on streams, without promises of chunks and methods of
// prototypes, because user code could replace those.

const { typedArrayKind } = require('./buffer-source.js');

/**
 * @param {object} streams the library's classes
 * @param {(reader: object, request: object) => void} readWith
 */
function createInternals(streams, readWith) {
  const { ReadableByteStreamController, ReadableStream } = streams;
  const { ReadableStreamDefaultReader } = streams;
  const { call } = Function.prototype;
  const isLocked = call.bind(
    Object.getOwnPropertyDescriptor(ReadableStream.prototype, 'locked').get,
  );
  const cancel = call.bind(ReadableStreamDefaultReader.prototype.cancel);

  function isReadable(value) {
    try {
      isLocked(value);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Reads to the end.
   *
   * @param {object} stream
   * @param {(pieces: Uint8Array[]) => void} onEnd
   * @param {(error: unknown) => void} onError
   */
  function readAll(stream, onEnd, onError) {
    const reader = new ReadableStreamDefaultReader(stream);
    const pieces = [];
    let isReading = false;
    let isAhead = false;
    const request = {
      _chunkSteps(chunk) {
        if (typedArrayKind(chunk) !== 'Uint8Array') {
          const error = new TypeError('A chunk of the body is no Uint8Array');
          cancel(reader, error).catch(() => {});
          onError(error);
          return;
        }
        pieces[pieces.length] = new Uint8Array(chunk);
        isAhead = true;
        if (!isReading) read();
      },
      _closeSteps: () => onEnd(pieces),
      _errorSteps: onError,
    };
    // A loop, because chunks that are there already come within the call.
    function read() {
      isReading = true;
      do {
        isAhead = false;
        readWith(reader, request);
      } while (isAhead);
      isReading = false;
    }
    read();
  }

  return {
    isByteStream: (stream) =>
      stream._readableStreamController instanceof ReadableByteStreamController,
    isDisturbed: (stream) => stream._disturbed === true,
    isLocked,
    isReadable,
    readAll,
  };
}

module.exports = { createInternals };
