'use strict';
// Values of pools with `payload: 'clone'` where Node's own structured clone
// carries them: their size, and the Buffers in them.

const { types } = require('node:util');

const { marked, unmarked } = require('./buffer-marks.js');
const { nodeBuffers } = require('../base/node-buffers.js');
const { structuredClone } = require('../base/structured-clone.js');
const {
  bufferBytes,
  isArray,
  isView,
  octetsOf,
  ownKeys,
  viewBuffer,
  viewBytes,
} = require('../protocol/codec/captured.js');
const { Refusal } = require('../protocol/codec/grammar.js');

const { isAnyArrayBuffer, isMap, isNativeError, isSet, isSharedArrayBuffer } =
  types;
const BYTES_PER_VALUE = 8;

/** Thrown by `measureClone`: `reason` is one of Refusal. */
class Unclonable {
  constructor(reason) {
    this.reason = reason;
  }
}

class CloneMeter {
  bytes = 0;
  nodeBuffers = [];
  #seen = new Set();
  #maxBytes;

  constructor(maxBytes) {
    this.#maxBytes = maxBytes;
  }

  add(value) {
    switch (typeof value) {
      case 'string':
        this.#count(BYTES_PER_VALUE + value.length);
        return;
      case 'object':
        this.#count(BYTES_PER_VALUE);
        if (value !== null) this.#addObject(value);
        return;
      case 'function':
      case 'symbol':
        throw new Unclonable(Refusal.UNSUPPORTED);
      case 'undefined':
        // An element of an array may be a hole.
        this.#count(1);
        return;
      default:
        this.#count(BYTES_PER_VALUE);
    }
  }

  #count(bytes) {
    this.bytes += bytes;
    if (this.bytes > this.#maxBytes) throw new Unclonable(Refusal.TOO_LARGE);
  }

  #addObject(value) {
    if (this.#seen.has(value)) return;
    this.#seen.add(value);
    if (isArray(value)) {
      for (let i = 0; i < value.length; i += 1) this.add(value[i]);
    } else if (isView(value)) {
      this.#addView(value);
    } else if (isAnyArrayBuffer(value)) {
      if (!isSharedArrayBuffer(value)) this.#count(bufferBytes(value));
    } else if (isMap(value)) {
      for (const [key, element] of value) {
        this.add(key);
        this.add(element);
      }
    } else if (isSet(value)) {
      for (const element of value) this.add(element);
    } else if (isNativeError(value)) {
      this.add(`${value.message}${value.stack}`);
      this.add(value.cause);
    } else {
      this.#addProperties(value);
    }
  }

  #addProperties(value) {
    const keys = ownKeys(value);
    for (let i = 0; i < keys.length; i += 1) {
      this.#count(keys[i].length);
      this.add(value[keys[i]]);
    }
  }

  // The buffer of a view travels whole.
  #addView(view) {
    if (nodeBuffers.is(view)) {
      this.nodeBuffers.push(view);
      this.#count(viewBytes(view));
    } else {
      this.add(viewBuffer(octetsOf(view)));
    }
  }
}

/**
 * @param {unknown} value
 * @param {number} maxBytes
 * @returns {{ value: unknown, bytes: number, nodeBuffers: Buffer[] }} `bytes`
 *   estimates its size: 8 for each value, 1 for each character and byte; shared
 *   memory counts nothing
 * @throws {Unclonable}
 */
function measureClone(value, maxBytes) {
  const meter = new CloneMeter(maxBytes);
  try {
    meter.add(value);
  } catch (error) {
    if (error instanceof Unclonable) throw error;
    // A getter or a proxy threw, or the stack ended.
    throw new Unclonable(Refusal.UNREADABLE);
  }
  return { value, bytes: meter.bytes, nodeBuffers: meter.nodeBuffers };
}

/**
 * @param {{ value: unknown, nodeBuffers: Buffer[] }} measured
 * @returns {unknown} a clone, for `unmarked`
 * @throws {Unclonable}
 */
function cloneMeasured(measured) {
  try {
    return structuredClone(marked(measured));
  } catch (error) {
    const isRefused = error?.name === 'DataCloneError';
    throw new Unclonable(isRefused ? Refusal.UNSUPPORTED : Refusal.UNREADABLE);
  }
}

/**
 * @param {unknown} value
 * @returns {unknown} a clone of it, whose Buffers are Buffers
 * @throws {Unclonable}
 */
function cloneValue(value) {
  return unmarked(cloneMeasured(measureClone(value, Infinity)));
}

module.exports = { cloneMeasured, cloneValue, measureClone };
