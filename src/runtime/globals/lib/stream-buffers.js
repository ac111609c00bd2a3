'use strict';

// Operations on buffers for the library of streams, also on V8s without these
// methods, and the built-ins it uses.

/* global host */
const { call } = Function.prototype;
const View = Uint8Array;
const { transfer: move } = ArrayBuffer.prototype;
const { get: readDetached } =
  Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'detached') ?? {};

const moved =
  move === undefined
    ? (buffer) => host.structuredClone(buffer, [buffer])
    : call.bind(move);

/** A buffer that cannot be moved (shared, or of WebAssembly) is a TypeError. */
function transfer(buffer) {
  try {
    return moved(buffer);
  } catch {
    throw new TypeError('The buffer cannot be transferred');
  }
}

function cannotBeViewed(buffer) {
  try {
    return new View(buffer, 0, 0) === undefined;
  } catch {
    return true;
  }
}

const detachedOf = readDetached && call.bind(readDetached);

function isMarkedDetached(buffer) {
  try {
    return detachedOf(buffer);
  } catch {
    // Shared memory never is, and is refused later.
    return false;
  }
}

const isDetached = detachedOf === undefined ? cannotBeViewed : isMarkedDetached;

const settled = Promise.resolve.bind(Promise);

module.exports = { isDetached, settled, transfer };
