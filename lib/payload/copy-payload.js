'use strict';

const { isArrayBuffer } = require('node:util').types;

const { Refusal, VIEW_NAMES } = require('../protocol/codec/grammar.js');
const { PAYLOAD_REFUSALS } = require('../protocol/details.js');
const { nodeBuffers } = require('../base/node-buffers.js');
const { isUntransferable } = require('../base/untransferable.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const { isPlainObject } = require('../base/validate.js');
const {
  Octets,
  bufferBytes,
  dataViewBuffer,
  dataViewBytes,
  hasOwn,
  viewBuffer,
  viewBytes,
  viewKeys,
  viewTag,
  isArray,
  isOverlaid,
  isView,
  octetsOf,
  ownKeys,
} = require('../protocol/codec/captured.js');

/**
 * Maximum nesting of a payload. The bound is fixed, so that acceptance does not
 * depend on the caller's remaining stack.
 */
const MAX_PAYLOAD_DEPTH = 1000;

/**
 * Longer arrays are walked by their keys, because only sparse ones get so long.
 */
const MAX_WALKED_LENGTH = 2 ** 25;

const BYTES_PER_VALUE = 8;
// Thrown inside a copy that is refused, and caught there.
const REFUSED = new Error('refused');
// The refusals with a text of their own.
const TEXTS = new Set([Refusal.NOT_FINITE, Refusal.CYCLE]);

const { defineProperty } = Object;
const View = DataView;

const TYPED_ARRAYS = new Map();
for (const kind of VIEW_NAMES) {
  if (kind !== 'DataView' && kind in globalThis) {
    TYPED_ARRAYS.set(kind, globalThis[kind]);
  }
}

/**
 * Copies one payload. Keeps the ancestors of the current value, to detect
 * cycles.
 */
class PayloadCopier {
  bytes = 0;
  /** One of Refusal, once something was refused. */
  reason = Refusal.UNREADABLE;
  isTooDeep = false;
  moved = [];
  nodeBuffers = [];
  #ancestors = [];
  #dense;
  #transfer;
  #maxBytes;

  constructor(dense, transfer, maxBytes) {
    this.#dense = dense;
    this.#transfer = transfer;
    this.#maxBytes = maxBytes;
  }

  copy(value) {
    this.#count(BYTES_PER_VALUE);
    switch (typeof value) {
      case 'string':
        this.bytes += value.length;
        return value;
      case 'number':
        if (!Number.isFinite(value)) this.#refuse(Refusal.NOT_FINITE);
        return value;
      case 'boolean':
        return value;
      case 'undefined':
        return null;
      case 'object':
        return value === null ? null : this.#copyObject(value);
      default:
        return this.#refuse(Refusal.UNSUPPORTED);
    }
  }

  // Stops early, because a too large value need not be copied to its end.
  #count(bytes) {
    this.bytes += bytes;
    if (this.bytes > this.#maxBytes) this.#refuse(Refusal.TOO_LARGE);
  }

  #copyObject(value) {
    if (isArray(value)) {
      this.#enter(value);
      const { length } = value;
      // Holes are counted too, because an array may consist of them.
      if (length > this.#maxBytes) this.#refuse(Refusal.TOO_LARGE);
      const copy =
        length > MAX_WALKED_LENGTH
          ? this.#copySparse(value, length)
          : this.#copyArray(value, length);
      this.#ancestors.pop();
      return copy;
    }
    if (isView(value)) return this.#copyView(value);
    if (isPlainObject(value)) {
      this.#enter(value);
      const copy = this.#copyPlain(value);
      this.#ancestors.pop();
      return copy;
    }
    if (isArrayBuffer(value)) return this.#copyBytes(value);
    return this.#refuse(Refusal.UNSUPPORTED);
  }

  #enter(value) {
    if (this.#ancestors.includes(value)) this.#refuse(Refusal.CYCLE);
    if (this.#ancestors.length === MAX_PAYLOAD_DEPTH) {
      this.isTooDeep = true;
      this.#refuse(Refusal.UNREADABLE);
    }
    append(this.#ancestors, value);
  }

  #refuse(reason) {
    this.reason = reason;
    throw REFUSED;
  }

  /** @returns {string | undefined} undefined: the code's own */
  get text() {
    if (this.isTooDeep) return 'worker payload is nested too deeply';
    const { text } = PAYLOAD_REFUSALS[this.reason];
    return TEXTS.has(this.reason) ? text : undefined;
  }

  #copyArray(source, length) {
    const copy = [];
    for (let index = 0; index < length; index += 1) {
      const element = source[index];
      if (element !== undefined || hasOwn(source, index)) {
        defineElement(copy, index, this.copy(element));
      } else if (this.#dense) {
        this.#count(BYTES_PER_VALUE);
        defineElement(copy, index, null);
      } else {
        copy.length = index + 1;
      }
    }
    return copy;
  }

  #copySparse(source, length) {
    const copy = [];
    const keys = ownKeys(source);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      const index = +key;
      // Only an index below the length travels.
      if (`${index >>> 0}` !== key || index >= length) continue;
      defineElement(copy, index, this.copy(source[key]));
    }
    copy.length = length;
    return copy;
  }

  #copyPlain(source) {
    const copy = {};
    const keys = ownKeys(source);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      const value = source[key];
      if (value === undefined) continue;
      this.bytes += key.length;
      const copied = this.copy(value);
      if (key in copy) defineData(copy, key, copied);
      else copy[key] = copied;
    }
    return copy;
  }

  #copyView(view) {
    const Kind = TYPED_ARRAYS.get(viewTag(view));
    const whole = this.#transfer === undefined ? null : this.#whole(view);
    if (whole !== null) return whole;
    if (Kind !== undefined) {
      // Copies the view's window to a buffer of its own; throws if detached.
      const copy = new Kind(view);
      this.bytes += viewBytes(copy);
      return Kind === Octets && nodeBuffers.is(view)
        ? this.#nodeBuffer(nodeBuffers.make(viewBuffer(copy)))
        : copy;
    }
    const bytes = new Octets(octetsOf(view));
    this.bytes += viewBytes(bytes);
    return new View(viewBuffer(bytes));
  }

  #nodeBuffer(copy) {
    append(this.nodeBuffers, copy);
    return copy;
  }

  // A view of a moved buffer keeps that buffer.
  #whole(view) {
    const isData = viewTag(view) === undefined;
    const buffer = isData ? dataViewBuffer(view) : viewBuffer(view);
    if (!this.#moves(buffer)) return null;
    // Throws if the view is out of the buffer's bounds.
    if (isData) dataViewBytes(view);
    else viewKeys(view);
    this.#move(buffer);
    return nodeBuffers.is(view) ? this.#nodeBuffer(view) : view;
  }

  #moves(buffer) {
    return (
      this.#transfer?.includes(buffer) &&
      isArrayBuffer(buffer) &&
      !isUntransferable(buffer)
    );
  }

  #move(buffer) {
    if (this.moved.includes(buffer)) return buffer;
    // Throws if the buffer is detached.
    this.bytes += viewBytes(new Octets(buffer));
    append(this.moved, buffer);
    return buffer;
  }

  #copyBytes(buffer) {
    if (this.#moves(buffer)) return this.#move(buffer);
    const copy = viewBuffer(new Octets(new Octets(buffer)));
    this.bytes += bufferBytes(copy);
    return copy;
  }
}

/** Defines an element even if Array.prototype has an accessor for it. */
function defineElement(array, index, value) {
  if (isOverlaid(index)) defineData(array, index, value);
  else array[index] = value;
}

function append(list, value) {
  defineElement(list, list.length, value);
}

/** Defines a key that Object.prototype has, such as `__proto__`. */
function defineData(target, key, value) {
  defineProperty(target, key, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/**
 * Makes the private copy of a payload that stays in this isolate.
 *
 * `bytes` estimates its size: 8 for each value, 1 for each character and byte.
 *
 * Errors have fixed texts and no cause, because an error of a getter or a proxy
 * may hold payload values.
 *
 * @param {unknown} value
 * @param {boolean} [dense] holes of arrays become null
 * @param {unknown[]} [transfer] buffers that are not copied: they and their
 *   views are in the result
 * @param {number} [maxBytes] a larger value is refused early where that is
 *   cheap; the caller must check `bytes` as well
 * @returns {{ value: unknown, bytes: number, moved: ArrayBuffer[],
 *   nodeBuffers: Buffer[] }} `moved`: the buffers that were not copied;
 *   `nodeBuffers`: the Buffers in the copy
 * @throws {SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD} for a type that cannot travel
 * @throws {SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED} see `maxBytes`
 * @throws {SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED} for a cycle, too deep
 *   nesting, a throwing getter or a detached buffer
 */
function copyPayload(
  value,
  dense = false,
  transfer = undefined,
  maxBytes = Infinity,
) {
  const copied = tryCopy(value, dense, transfer, maxBytes);
  if (copied.reason === 0) return copied;
  throw workerError(PAYLOAD_REFUSALS[copied.reason].code, copied.text);
}

/**
 * The same as `copyPayload`, for callers that look at why a value is refused.
 *
 * @returns {{ reason: number, value?: unknown, bytes?: number, moved?:
 *   ArrayBuffer[], nodeBuffers?: Buffer[], text?: string }} `reason`: one of
 *   Refusal, or 0
 */
function tryCopy(value, dense, transfer, maxBytes) {
  const copier = new PayloadCopier(dense, transfer, maxBytes);
  try {
    const copy = copier.copy(value);
    const { bytes, moved, nodeBuffers: found } = copier;
    return { reason: 0, value: copy, bytes, moved, nodeBuffers: found };
  } catch {
    const { reason, text } = copier;
    return { reason, text };
  }
}

module.exports = { MAX_PAYLOAD_DEPTH, copyPayload, tryCopy };
