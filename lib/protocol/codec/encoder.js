'use strict';
// The writing half of the codec: a value's kind, and for a structured value the
// output of writer.js.

const { createPacker, isFlat } = require('./cloner.js');
const {
  Carry,
  KIND_FALSE,
  KIND_NULL,
  KIND_NUMBER,
  KIND_STRING,
  KIND_STRUCTURED,
  KIND_TRUE,
  KIND_UNDEFINED,
  Refusal,
  isCloned,
} = require('./grammar.js');
const { createShapes } = require('./shapes.js');
const { createWriter } = require('./writer.js');

// Whether all is carried that a structured clone keeps.
const keepsAll = (carry) => carry === Carry.EXACTLY || isCloned(carry);

/**
 * encode() throws `refused`, which its hosts catch by identity; users never see
 * it.
 */
function createEncoder(host, shapes, refused, isNodeBuffer, clones) {
  const { begin, write, flush, clear, output, byteParts } = createWriter(
    shapes,
    refuse,
    host.isUntransferable,
    isNodeBuffer,
  );
  const pack = createPacker(
    clones,
    refuse,
    host.isUntransferable,
    isNodeBuffer,
  );
  const out = {
    kind: 0,
    number: 0,
    slots: output.slots,
    slotCount: 0,
    text: undefined,
    more: undefined,
    bytes: 0,
  };
  let lastOut = out;
  let busy = false;
  let spare = null;

  function refuse(reason) {
    refused.reason = reason;
    throw refused;
  }

  function encodeStructured(v, maxBytes, transferList, carry) {
    busy = true;
    begin(maxBytes, transferList, carry);
    try {
      write(v);
      byteParts.checkSizes();
      finish(maxBytes);
    } catch (error) {
      if (error === refused) throw error;
      // A getter or a trap of the value's own threw, or the stack ended.
      refuse(Refusal.UNREADABLE);
    } finally {
      busy = false;
      // Set last, because a getter of the value may have encoded another value.
      lastOut = out;
      clear();
    }
  }

  function encodeClone(v, maxBytes, transferList, carry) {
    busy = true;
    try {
      pack(v, maxBytes, transferList, carry, out);
    } finally {
      busy = false;
      lastOut = out;
    }
  }

  // The grammar is faster, where nothing is lost.
  function encodeExactly(v, maxBytes, transferList) {
    try {
      encodeStructured(v, maxBytes, transferList, Carry.EXACTLY);
    } catch (error) {
      const { reason } = refused;
      if (error !== refused || reason === Refusal.TOO_LARGE) throw error;
      try {
        encodeClone(v, maxBytes, transferList, Carry.EXACTLY);
      } catch (again) {
        // The grammar's reason says more.
        if (refused.reason !== Refusal.TOO_LARGE) refused.reason = reason;
        throw again;
      }
    }
  }

  function encodeObject(v, maxBytes, transferList, carry) {
    switch (carry) {
      case Carry.EXACTLY:
        encodeExactly(v, maxBytes, transferList);
        break;
      case Carry.CLONED:
      case Carry.CLONED_DATA:
        if (transferList === undefined && isFlat(v)) {
          encodeExactly(v, maxBytes, undefined);
        } else encodeClone(v, maxBytes, transferList, carry);
        break;
      default:
        encodeStructured(v, maxBytes, transferList, carry);
    }
  }

  function finish(maxBytes) {
    const { gathered, at } = output;
    out.bytes = at * 8 + output.counted + gathered.length;
    if (out.bytes > maxBytes) refuse(Refusal.TOO_LARGE);
    if (output.texts !== null) flush();
    const { texts } = output;
    out.text =
      texts !== null ? texts[0] : gathered.length === 0 ? undefined : gathered;
    out.more =
      (texts === null || texts.length === 1) && byteParts.buffers === null
        ? undefined
        : [texts, byteParts.buffers, byteParts.moved];
    out.kind = KIND_STRUCTURED;
    out.slots = output.slots;
    out.slotCount = at;
  }

  // Returns the encoded value in a record that is valid until the next call;
  // throws `refused`. `more` is [texts, buffers, moved] or undefined, where
  // `texts` includes the first one. `carry` is one of Carry.
  function encode(v, maxBytes, transferList, carry = Carry.PLAINLY) {
    // A getter of the value being written encodes a value of its own.
    if (busy) {
      lastOut = nested().encode(v, maxBytes, transferList, carry);
      return lastOut;
    }
    lastOut = out;
    out.text = undefined;
    out.more = undefined;
    out.slotCount = 0;
    out.bytes = 8;
    switch (typeof v) {
      case 'number':
        if (v - v !== 0 && !keepsAll(carry)) refuse(Refusal.NOT_FINITE);
        out.kind = KIND_NUMBER;
        out.number = v;
        break;
      case 'undefined':
        out.kind = KIND_UNDEFINED;
        break;
      case 'boolean':
        out.kind = v ? KIND_TRUE : KIND_FALSE;
        break;
      case 'string':
        if (v.length > maxBytes) refuse(Refusal.TOO_LARGE);
        out.kind = KIND_STRING;
        out.text = v;
        out.bytes = v.length;
        break;
      case 'object':
        if (v === null) out.kind = KIND_NULL;
        else encodeObject(v, maxBytes, transferList, carry);
        break;
      default:
        if (!keepsAll(carry)) refuse(Refusal.UNSUPPORTED);
        encodeClone(v, maxBytes, transferList, carry);
    }
    return out;
  }

  function nested() {
    // The spare encoder has its own shapes, because a shape's writer is bound
    // to its encoder.
    spare ??= createEncoder(
      host,
      createShapes(host),
      refused,
      isNodeBuffer,
      clones,
    );
    return spare;
  }

  // The last record that encode() returned.
  function last() {
    return lastOut;
  }

  return { encode, last };
}

module.exports = { createEncoder };
