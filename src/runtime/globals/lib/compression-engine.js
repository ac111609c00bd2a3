'use strict';

// The compression streams' way to Node's zlib: its natives at once, without
// the streams of node:zlib.

/* global host */
const MODES = {
  deflate: { 'deflate-raw': 5, deflate: 1, gzip: 3 },
  inflate: { 'deflate-raw': 6, deflate: 2, gzip: 4 },
};
const LARGEST_WINDOW = 15;
const [DEFAULT_LEVEL, DEFAULT_MEMORY, DEFAULT_STRATEGY] = [-1, 8, 0];
const IS_ONE_MEMBER = true;
const [NO_FLUSH, FINISH] = [0, 4];
const PIECE = 65_536;
const NOTHING = new Uint8Array(0);

let natives;

function failure(text, number, code) {
  return Object.assign(new TypeError(text), { errno: number, code });
}

/**
 * @param {'deflate' | 'inflate'} direction
 * @param {'deflate' | 'deflate-raw' | 'gzip'} format
 * @param {(piece: Uint8Array) => void} onPiece
 * @returns {{ push: (bytes: Uint8Array) => boolean, end: () => void }} whether
 *   all of the bytes belong to the stream, which nothing may follow
 */
function createEngine(direction, format, onPiece) {
  natives ??= host.binding('zlib');
  const handle = new natives.Zlib(MODES[direction][format]);
  // Bytes of room, and of input, that a call has left.
  const left = new Uint32Array(2);
  let error;
  handle.onerror = (...facts) => {
    error = failure(...facts);
  };
  handle.init(
    LARGEST_WINDOW,
    DEFAULT_LEVEL,
    DEFAULT_MEMORY,
    DEFAULT_STRATEGY,
    left,
    () => {},
    undefined,
    IS_ONE_MEMBER,
  );
  let room = new Uint8Array(PIECE);

  function run(flush, bytes) {
    let start = 0;
    do {
      const size = bytes.length - start;
      handle.writeSync(flush, bytes, start, size, room, 0, PIECE);
      if (error !== undefined) {
        handle.close();
        throw error;
      }
      start = bytes.length - left[1];
      const made = PIECE - left[0];
      if (made > PIECE / 2) {
        onPiece(room.subarray(0, made));
        room = new Uint8Array(PIECE);
      } else if (made > 0) {
        onPiece(room.slice(0, made));
      }
    } while (left[0] === 0);
    return start === bytes.length;
  }

  return {
    push: (bytes) => run(NO_FLUSH, bytes),
    end() {
      run(FINISH, NOTHING);
      handle.close();
    },
  };
}

module.exports = { createEngine };
