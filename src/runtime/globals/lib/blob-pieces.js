'use strict';

/* global host */
// Pieces are what blobs are made of, and are read by. One is bytes, or the
// pieces of a blob that was a part: each is a chunk of a stream, as in Node.

const { since } = require('./versions.js');

const { isArray } = Array;

/** @typedef {(Uint8Array | Pieces)[]} Pieces */

const lengthOf = (piece) => (isArray(piece) ? sizeOf(piece) : piece.length);

/** @param {Pieces} pieces */
function sizeOf(pieces) {
  let size = 0;
  for (const piece of pieces) size += lengthOf(piece);
  return size;
}

/** @param {Uint8Array[]} chunks */
function join(chunks) {
  const bytes = new Uint8Array(sizeOf(chunks));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** All bytes of `pieces`, a copy only where there are several. */
function bytesOfPieces(pieces) {
  const chunks = pieces.flat(Infinity);
  return chunks.length === 1 ? chunks[0] : join(chunks);
}

/** The pieces from one byte to another, which share the bytes. */
function slicePieces(pieces, from, to) {
  const found = [];
  if (from >= to) return found;
  let start = 0;
  for (const piece of pieces) {
    if (start >= to) break;
    const end = start + lengthOf(piece);
    // One that ends there is kept without bytes, as in Node.
    if (end >= from) {
      const first = Math.max(from - start, 0);
      const last = Math.min(to, end) - start;
      found.push(
        isArray(piece)
          ? slicePieces(piece, first, last)
          : piece.subarray(first, last),
      );
    }
    start = end;
  }
  return found;
}

const END = null;

function readOnce(bytes) {
  let left = bytes;
  return () => {
    const read = left;
    left = END;
    return read;
  };
}

/**
 * Reads piece by piece in Node's steps, because each of them is a turn or a
 * microtask.
 *
 * @param {Pieces} pieces
 * @returns {() => Uint8Array | undefined | null} the next bytes, `undefined`
 *   between two pieces, null at the end
 */
function readerOf(pieces) {
  let at = 0;
  let inner;
  return () => {
    if (inner === undefined) {
      if (at === pieces.length) return END;
      const piece = pieces[at];
      inner = isArray(piece) ? readerOf(piece) : readOnce(piece);
      at += 1;
    }
    const bytes = inner();
    if (bytes !== END) return bytes;
    inner = undefined;
    return at === pieces.length ? END : undefined;
  };
}

/** Calls back with an ArrayBuffer of all bytes. */
function readAll(pieces, callback) {
  const read = readerOf(pieces);
  const chunks = [];
  const step = () => {
    const bytes = read();
    if (bytes === END) {
      callback(join(chunks).buffer);
      return;
    }
    if (bytes !== undefined) chunks.push(bytes);
    host.queueMicrotask(step);
  };
  step();
}

// A stream reads on in the next turn, on older Nodes in the next microtask.
const later = (callback) =>
  since(24)
    ? require('sw:timers').setImmediate(callback)
    : host.queueMicrotask(callback);

/** A stream of bytes that reads nothing before it is asked to. */
function streamOf(pieces) {
  const { ReadableStream } = require('sw:internal/webstreams/readablestream');
  const read = readerOf(pieces);
  let isCancelled = false;
  const pump = (controller, done) => {
    if (isCancelled) return;
    const bytes = read();
    if (bytes === END) {
      controller.close();
      controller.byobRequest?.respond(0);
      done();
      return;
    }
    if (bytes?.length > 0) controller.enqueue(bytes.slice());
    later(() => {
      if (controller.desiredSize < 0) done();
      else pump(controller, done);
    });
  };
  return new ReadableStream({
    __proto__: null,
    type: 'bytes',
    pull: (controller) => new Promise((done) => pump(controller, done)),
    cancel() {
      isCancelled = true;
    },
  });
}

module.exports = {
  bytesOfPieces,
  join,
  readAll,
  sizeOf,
  slicePieces,
  streamOf,
};
