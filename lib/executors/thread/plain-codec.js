'use strict';

const { isMap } = require('node:util').types;

const { copyPayload } = require('../../payload/copy-payload.js');
const { structuredClone } = require('../../base/structured-clone.js');
const { Code } = require('../../protocol/diagnostics.gen.js');
const { PayloadKind } = require('../../protocol/wire.gen.js');

// Values of Refusal in lib/protocol/codec, which src/runtime checks.
const Refusal = Object.freeze({
  Kind: 1,
  NotSerializable: 2,
  Cycle: 3,
  Unreadable: 4,
  TooLarge: 5,
});

function reasonOf({ code, message }) {
  if (code === Code.ResourceLimit) return Refusal.TooLarge;
  if (code === Code.UnsupportedPayload) {
    return message.endsWith('not serializable')
      ? Refusal.NotSerializable
      : Refusal.Kind;
  }
  return message.endsWith('a cycle') ? Refusal.Cycle : Refusal.Unreadable;
}

// A structured clone makes a Uint8Array of a Buffer, but it keeps that two
// places have one object. No payload is a Map with such a key.
const MARK = '\0sloppy-workers/node-buffers';

/**
 * @param {{ value: unknown, nodeBuffers: Buffer[] }} copied by copyPayload
 * @returns {unknown} what to send, for `unmarked` on the other side
 */
function marked({ value, nodeBuffers }) {
  if (nodeBuffers.length === 0) return value;
  return new Map([
    [MARK, Array.from(nodeBuffers)],
    ['value', value],
  ]);
}

function unmarked(value) {
  if (!isMap(value)) return value;
  const octets = value.get(MARK);
  if (octets === undefined) return value;
  for (const bytes of octets) Object.setPrototypeOf(bytes, Buffer.prototype);
  return value.get('value');
}

/**
 * The codec's interface over plain copies, for threads of Node's. The copies
 * travel by structured clone, which preserves them. `text` is the copy, `more`
 * the buffers in it that are still the caller's: see `takeBuffers`.
 */
function createPlainCodec() {
  const refused = { reason: 0 };
  let last = null;
  const refuse = (reason) => {
    refused.reason = reason;
    throw refused;
  };
  return {
    refused,
    encode(value, maxBytes, transfer) {
      let text;
      let bytes = 0;
      let moved;
      if (value !== undefined) {
        try {
          const copied = copyPayload(value, true, transfer, maxBytes);
          ({ bytes, moved } = copied);
          text = marked(copied);
        } catch (error) {
          refuse(reasonOf(error));
        }
      }
      if (bytes > maxBytes) refuse(Refusal.TooLarge);
      const rest = {
        kind: PayloadKind.Null,
        number: 0,
        slots: null,
        slotCount: 0,
      };
      last = { ...rest, text, more: moved, bytes };
      return last;
    },
    last: () => last,
    decode: (_kind, _number, _scratch, _offset, text) => unmarked(text),
  };
}

/**
 * @param {object} data as it came from a port
 * @returns {unknown} its value, in this realm's objects: a port inside another
 *   realm than Node's own, as in Jest, gives Node's
 */
function contentOf(data) {
  const value = unmarked(data.value);
  const foreign = Object.getPrototypeOf(data) !== Object.prototype;
  if (!foreign || value === null || typeof value !== 'object') return value;
  return copyPayload(value).value;
}

/**
 * Makes an encoded value independent of the caller's buffers, which are moved.
 *
 * @param {object} encoded from `encode`
 * @returns {{ value: unknown, buffers?: ArrayBuffer[] }} `buffers`: those in
 *   `value` that may be moved on
 * @throws {DOMException} for a buffer that was detached meanwhile
 */
function takeBuffers({ text, more }) {
  if (more === undefined || more.length === 0) return { value: text };
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

function detach(buffer) {
  try {
    structuredClone(null, { transfer: [buffer] });
  } catch {
    // The caller keeps the buffer.
  }
}

module.exports = { Refusal, createPlainCodec, takeBuffers, contentOf, marked };
