'use strict';

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
   * @param {boolean} [exactly] refuses values that structured clone would keep
   *   and the codec would lose
   * @param {string} [root] name of the value in the hint of a refusal
   * @throws {SloppyWorkerError} see PAYLOAD_REFUSALS
   */
  encode(value, maxBytes, transfer, exactly, root) {
    this.encodings += 1;
    try {
      return this.codec.encode(value, maxBytes, transfer, exactly);
    } catch (error) {
      if (error !== this.codec.refused) throw error;
      throw payloadRefusal(error.reason, value, root);
    }
  }
}

module.exports = { PayloadEncoder };
