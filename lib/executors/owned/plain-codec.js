'use strict';

const { marked, unmarked } = require('../../payload/buffer-marks.js');
const { cloneMeasured, measureClone } = require('../../payload/clone-value.js');
const { SMALL_BYTES, smallKind } = require('../../payload/small-values.js');
const { isArrayBuffer } = require('node:util').types;

const { Carry, Refusal } = require('../../protocol/codec/grammar.js');
const { detach } = require('../../base/detach.js');
const { structuredClone } = require('../../base/structured-clone.js');
const { isUntransferable } = require('../../base/untransferable.js');
const { PayloadKind } = require('../../protocol/wire.gen.js');
const { Packed } = require('./packed.js');

const NONE = Object.freeze([]);

// Loaded with the first object, because the realms of processes have other ways
// for objects, and each start would pay for it.
let loaded;
function copier() {
  loaded ??= require('../../payload/copy-payload.js');
  return loaded;
}

/** @returns {number} the bytes of what is its own copy, or -1 */
function simpleBytes(value) {
  if (typeof value === 'string') return SMALL_BYTES + value.length;
  return smallKind(value) < 0 ? -1 : SMALL_BYTES;
}

// `reason`, one of Refusal, or 0.
function plainCopy(value, transfer, maxBytes) {
  const simple = simpleBytes(value);
  if (simple >= 0)
    return { reason: 0, text: value, bytes: simple, moved: NONE };
  const copied = copier().tryCopy(value, true, transfer, maxBytes);
  const { reason, bytes, moved } = copied;
  return reason === 0 ? { reason, text: marked(copied), bytes, moved } : copied;
}

// Moved buffers can be cloned only once, by takeBuffers().
function cloneOf(value, transfer, maxBytes, canTravel) {
  try {
    const measured = measureClone(value, maxBytes);
    if (!canTravel(value)) return { reason: Refusal.UNSUPPORTED };
    const { bytes } = measured;
    const moved = movable(transfer ?? []);
    const text =
      moved.length === 0 ? cloneMeasured(measured) : marked(measured);
    return { reason: 0, text, bytes, moved };
  } catch (error) {
    return { reason: error?.reason ?? Refusal.UNREADABLE };
  }
}

// Others than buffers are Node's to move, or to refuse.
function movable(transfer) {
  const moved = [];
  for (let i = 0; i < transfer.length; i += 1) {
    const item = transfer[i];
    const stays = isArrayBuffer(item) && isUntransferable(item);
    if (!stays && !moved.includes(item)) moved.push(item);
  }
  return moved;
}

const ABSENT = { reason: 0, text: undefined, bytes: 0, moved: undefined };

/**
 * The codec's interface over copies, for threads of Node's. The copies travel by
 * structured clone, which preserves them. `text` is the copy, `more` what in it
 * is still the caller's: see `takeBuffers`.
 *
 * @param {number} [usual] one of Carry
 * @param {(value: unknown) => boolean} [canTravel] asked about clones
 */
function createPlainCodec(usual = Carry.PLAINLY, canTravel = () => true) {
  const refused = { reason: 0 };
  let last = null;
  const refuse = (reason) => {
    refused.reason = reason;
    throw refused;
  };
  return {
    refused,
    encode(value, maxBytes, transfer, carry = usual) {
      let copied = ABSENT;
      if (value !== undefined) {
        const copy = carry === Carry.CLONED ? cloneOf : plainCopy;
        copied = copy(value, transfer, maxBytes, canTravel);
      }
      if (copied.reason !== 0) refuse(copied.reason);
      const { text, bytes, moved } = copied;
      if (bytes > maxBytes) refuse(Refusal.TOO_LARGE);
      last = {
        kind: PayloadKind.Null,
        number: 0,
        slots: null,
        slotCount: 0,
        text,
        more: moved,
        bytes,
      };
      return last;
    },
    last: () => last,
    decode: (_kind, _number, _scratch, _offset, text) => unmarked(text),
  };
}

const isObject = (value) => typeof value === 'object' && value !== null;

/**
 * @param {object} data as it came from a port
 * @param {number} carry one of Carry
 * @returns {unknown} its value, in this realm's objects: a port inside another
 *   realm than Node's own, as in Jest, gives Node's
 */
function contentOf(data, carry) {
  const value = unmarked(data.value);
  const foreign = Object.getPrototypeOf(data) !== Object.prototype;
  if (!foreign || carry === Carry.CLONED || !isObject(value)) return value;
  return copier().copyPayload(value).value;
}

/**
 * Makes an encoded value independent of the caller's buffers, which are moved.
 *
 * @param {object} encoded from `encode`
 * @returns {{ value: unknown, buffers: ArrayBuffer[] | undefined }} `buffers`:
 *   those in `value` that may be moved on
 * @throws {DOMException} for a buffer that was detached meanwhile
 */
function takeBuffers({ text, more }) {
  if (more === undefined || more.length === 0) {
    return { value: text, buffers: undefined };
  }
  if (text instanceof Packed) {
    for (const buffer of more) detach(buffer);
    return { value: text, buffers: undefined };
  }
  const whole = { value: text, buffers: Array.from(more) };
  try {
    return structuredClone(whole, { transfer: whole.buffers });
  } catch {
    // A buffer cannot be moved, such as the memory of WebAssembly.
    const copy = structuredClone(whole);
    for (const buffer of whole.buffers) detach(buffer);
    return copy;
  }
}

module.exports = { createPlainCodec, takeBuffers, contentOf };
