'use strict';

const { Refusal, isCloned } = require('../protocol/codec/grammar.js');
const { payloadRefusal } = require('../errors/payload-refusal.js');

/** Encodes payloads, and counts encodings. */
class PayloadEncoder {
  codec;
  /**
   * Incremented by each `encode`. Compare it with a saved value to see whether
   * `codec.last()` is still the encoding of then.
   */
  encodings = 0;

  /** @param {object} codec see `createCodec` */
  constructor(codec) {
    this.codec = codec;
  }

  /**
   * Encodes a payload; the result is good until the next call of anything
   * that encodes.
   *
   * @param {unknown} value
   * @param {number} maxBytes
   * @param {ArrayBuffer[]} [transfer]
   * @param {number} [carry] one of Carry (lib/protocol/codec/grammar.js)
   * @param {string} [root] name of the value in the hint of a refusal
   * @throws {SloppyWorkerError} see PAYLOAD_REFUSALS
   */
  encode(value, maxBytes, transfer, carry, root) {
    this.encodings += 1;
    try {
      return this.codec.encode(value, maxBytes, transfer, carry);
    } catch (error) {
      if (error !== this.codec.refused) throw error;
      const { reason } = error;
      const isRefused = isCloned(carry)
        ? (part) => this.#isRefused(part, carry)
        : undefined;
      throw payloadRefusal(reason, value, root, isRefused);
    }
  }

  #isRefused(part, carry) {
    this.encodings += 1;
    try {
      this.codec.encode(part, Infinity, undefined, carry);
      return false;
    } catch (error) {
      if (error !== this.codec.refused) throw error;
      return error.reason !== Refusal.TOO_LARGE;
    }
  }
}

module.exports = { PayloadEncoder };
