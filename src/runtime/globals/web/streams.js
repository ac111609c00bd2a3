'use strict';

// Node's web streams for bodies and clones, past promises of chunks and methods
// of prototypes, because user code could replace those.

const { typedArrayKind } = require('../lib/buffer-source.js');

const { moduleOf } = require('sw:library');
const { kDeserialize, kTransfer, kTransferList } = moduleOf(
  'internal/worker/js_transferable',
);
const { kIsDisturbed } = moduleOf('internal/streams/utils');
const {
  ReadableStream,
  ReadableStreamDefaultReader,
  isReadableStream,
  isReadableStreamLocked,
  kChunk,
  kClose,
  kError,
  readableStreamDefaultReaderRead,
  readableStreamReaderGenericCancel,
  readableStreamTee,
} = require('sw:internal/webstreams/readablestream');
const {
  TransformStream,
  isTransformStream,
} = require('sw:internal/webstreams/transformstream');
const {
  isWritableStream,
  isWritableStreamLocked,
} = require('sw:internal/webstreams/writablestream');

const { call } = Function.prototype;
const getter = (object, key) =>
  call.bind(Object.getOwnPropertyDescriptor(object, key).get);
const isDisturbed = getter(ReadableStream.prototype, kIsDisturbed);
const pipeThrough = call.bind(ReadableStream.prototype.pipeThrough);
const halves = ['readable', 'writable'].map((key) =>
  getter(TransformStream.prototype, key),
);

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
    [kChunk](chunk) {
      if (typedArrayKind(chunk) !== 'Uint8Array') {
        const error = new TypeError('Received non-Uint8Array chunk');
        readableStreamReaderGenericCancel(reader, error).catch(() => {});
        onError(error);
        return;
      }
      pieces[pieces.length] = new Uint8Array(chunk);
      isAhead = true;
      if (!isReading) read();
    },
    [kClose]: () => onEnd(pieces),
    [kError]: onError,
  };
  // A loop, because chunks that are there already come within the call.
  function read() {
    isReading = true;
    do {
      isAhead = false;
      readableStreamDefaultReaderRead(reader, request);
    } while (isAhead);
    isReading = false;
  }
  read();
}

/** Whether it is a stream; of a transform stream, whether one half is locked. */
function isLocked(stream) {
  if (isReadableStream(stream)) return isReadableStreamLocked(stream);
  if (isWritableStream(stream)) return isWritableStreamLocked(stream);
  return halves.some((half) => isLocked(half(stream)));
}

/** The class of the stream, or half of a transform stream, that is locked. */
function lockedIn(stream) {
  if (isTransformStream(stream)) {
    const half = halves.map((of) => of(stream)).find(isLocked);
    return half && lockedIn(half);
  }
  if (!isLocked(stream)) return undefined;
  return isReadableStream(stream) ? 'ReadableStream' : 'WritableStream';
}

const isStream = (value) =>
  isReadableStream(value) ||
  isWritableStream(value) ||
  isTransformStream(value);

/**
 * The stream that takes the place of this one, which is locked for ever. Both
 * are in this isolate, so that the port between them stays where it is.
 */
function move(stream) {
  stream[kTransferList]();
  const { data, deserializeInfo } = stream[kTransfer]();
  const [id, name] = deserializeInfo.split(':');
  const made = new (moduleOf(id)[name])();
  const parts = {};
  for (const key of Object.keys(data)) {
    parts[key] = isStream(data[key]) ? move(data[key]) : data[key];
  }
  made[kDeserialize](parts);
  return made;
}

module.exports = {
  isDisturbed,
  isLocked,
  isStream,
  lockedIn,
  move,
  readAll,
  /** Two streams, the second of which has copies of the chunks. */
  tee: (stream) => readableStreamTee(stream, true),
  /** A stream that takes this one over. */
  through: (stream) => pipeThrough(stream, new TransformStream()),
};
