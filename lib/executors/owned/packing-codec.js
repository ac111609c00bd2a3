'use strict';
// Plain objects between owner and worker, in the codec's grammar. V8's
// serializer takes some times as long, and needs a copy before.

const { compileFunction } = require('../../base/compile-function.js');
const { isUntransferable } = require('../../base/untransferable.js');
const { nodeBuffers } = require('../../base/node-buffers.js');
const {
  append,
  isArray,
  list,
  substring,
  textIndexOf,
} = require('../../protocol/codec/captured.js');
const { Carry } = require('../../protocol/codec/grammar.js');
const { FrameError } = require('../../wire/frames.js');
const { packPayload, unpackPayload } = require('../../wire/payload-bytes.js');
const { Packed } = require('./packed.js');
const { createPlainCodec } = require('./plain-codec.js');

// V8 clones less than this as quickly, and without a call of ours at its end.
const SMALL_BYTES = 4096;
// More than an encoder ever makes.
const MAX_SHAPES = 2 ** 17;
const MAX_SHAPE_CHARS = 2 ** 24;

// The codec is loaded with the first object, so that a start does not pay for it.
const newCodec = (host, refused) =>
  require('../../protocol/codec.js').createCodec(host, refused, nodeBuffers);

// The codec's lists have no prototype.
function movedOf({ more }) {
  const buffers = more?.[1] ?? null;
  if (buffers === null) return undefined;
  const moved = [];
  for (let i = 0; i < buffers.length; i += 1) {
    if (more[2][i]) append(moved, buffers[i]);
  }
  return moved;
}

const isObject = (value) => typeof value === 'object' && value !== null;

/**
 * The plain codec, see there, that writes plain objects instead of copying them:
 * its `text` is then a `Packed`.
 *
 * @param {number} [usual] one of Carry
 * @param {object} [how]
 * @param {(value: unknown) => boolean} [how.canTravel] asked about clones
 * @param {Buffer} [how.before] comes first in the bytes
 * @param {boolean} [how.borrows] a value is sent before anything else happens, so
 *   that its large buffers need no copy: see Packed
 * @param {boolean} [how.clones] the values are cloned on their way, so that small
 *   ones are copies, and no buffer that moves is written
 */
function createPackingCodec(usual, how) {
  const { borrows, canTravel, before, clones } = { __proto__: null, ...how };
  const plain = createPlainCodec(usual, canTravel);
  const shapes = list();
  let grammar;
  let last;

  function write(value, maxBytes, transfer) {
    grammar ??= newCodec(
      {
        defineShape: (text) => append(shapes, text),
        shapeText: (id) => shapes[id],
        compileFunction,
        isUntransferable,
      },
      plain.refused,
    );
    const encoding = grammar.encode(value, maxBytes, transfer, Carry.PLAINLY);
    return {
      kind: encoding.kind,
      number: 0,
      slots: null,
      slotCount: 0,
      text: textOf(encoding),
      more: movedOf(encoding),
      bytes: encoding.bytes,
    };
  }

  function textOf(encoding) {
    const { kind, number, slots, text, more, bytes } = encoding;
    const isSmall = more === undefined && bytes < SMALL_BYTES;
    if (clones === true && isSmall) {
      return grammar.decode(kind, number, slots, 0, text, undefined);
    }
    const large = borrows === true ? list() : undefined;
    return new Packed(packPayload(encoding, before, large), shapes, large);
  }

  const isWritten = (value, transfer, carry) =>
    (carry === undefined || carry === Carry.PLAINLY) &&
    isObject(value) &&
    !(clones === true && transfer?.length > 0);

  return {
    ...plain,
    encode(value, maxBytes, transfer, carry = usual) {
      last = isWritten(value, transfer, carry)
        ? write(value, maxBytes, transfer)
        : plain.encode(value, maxBytes, transfer, carry);
      return last;
    },
    last: () => last,
  };
}

// The numbers of keys of a shape: each is behind its length.
function countKeys(text) {
  let count = 0;
  for (let at = 0; at < text.length; count += 1) {
    const colon = textIndexOf(text, ':', at);
    const length = +substring(text, at, colon);
    at = colon + 1 + length;
    if (colon < 0 || !(length >= 0) || !(at <= text.length)) {
      throw new FrameError('a list of keys that nobody can read');
    }
  }
  return count;
}

/** Reads what the other end of a line has written. */
class Unpacker {
  #shapes = list();
  #counts = list();
  #chars = 0;
  #codec;

  /**
   * @param {unknown} texts shapes that the next values refer to
   * @throws {FrameError}
   */
  learn(texts) {
    if (!isArray(texts)) throw new FrameError('no list of shapes');
    for (let i = 0; i < texts.length; i += 1) {
      const text = texts[i];
      if (typeof text !== 'string')
        throw new FrameError('a shape without keys');
      this.#chars += text.length;
      if (this.#shapes.length >= MAX_SHAPES || this.#chars > MAX_SHAPE_CHARS) {
        throw new FrameError('more shapes than there can be');
      }
      append(this.#counts, countKeys(text));
      append(this.#shapes, text);
    }
  }

  /**
   * @param {Buffer} bytes of packPayload()
   * @param {ArrayBuffer[]} [given] see unpackPayload()
   * @throws {FrameError}
   */
  read = (bytes, given) => {
    const parts = unpackPayload(bytes, this.#counts, given);
    const { kind, number, slots, text, more } = parts;
    this.#codec ??= newCodec({
      defineShape: () => -1,
      shapeText: (id) => this.#shapes[id],
      compileFunction,
    });
    return this.#codec.decode(kind, number, slots, 0, text, more);
  };
}

/** @returns {unknown} the value of a Packed of this end */
function unpacked({ bytes, shapes }) {
  const unpacker = new Unpacker();
  unpacker.learn(shapes);
  return unpacker.read(bytes);
}

module.exports = { Unpacker, createPackingCodec, unpacked };
