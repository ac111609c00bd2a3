'use strict';

const { PayloadEncoder } = require('../payload-encoder.js');
const { PoolExecutor } = require('../executor.js');
const { Carry } = require('../../protocol/codec/grammar.js');
const { takeBuffers } = require('./plain-codec.js');

// Replaces a payload that was taken after it was read.
const GIVEN_AWAY = Symbol('given away');

/**
 * The part of OwnedPool that Shares asks for, see there, and how its payloads are
 * sent.
 */
class SharingExecutor extends PoolExecutor {
  host;
  /** @type {SharedParts | null} null before the first shared value */
  shared = null;
  #sharesMemory;

  /**
   * @param {object} settings checked by the caller
   * @param {object} Line of its workers: `createCodec()` and
   *   `sharesMemory`
   */
  constructor(settings, { createCodec, sharesMemory }) {
    super(settings);
    this.host = new PayloadEncoder(createCodec());
    this.#sharesMemory = sharesMemory;
  }

  get sharedEncoder() {
    if (this.shared === null) {
      const { SharedParts } = require('./shared-parts.js');
      this.shared = new SharedParts(this.#sharesMemory);
    }
    return this.sharedCarry === Carry.CLONED ? this.host : this.shared.encoder;
  }

  get sharedCarry() {
    const { carry } = this.settings;
    if (carry === Carry.CLONED) return carry;
    return this.#sharesMemory ? Carry.SHARING : Carry.PLAINLY;
  }

  holdShared(number, encoded) {
    this.shared.hold(number, encoded);
  }

  dropShared(numbers) {
    this.shared.drop(numbers);
    this.forgetShared(numbers);
  }

  sharedTaken() {
    return this.shared.taken;
  }

  /** A worker has decoded one. */
  tookShared() {
    if (this.shared !== null) this.shared.taken += 1;
  }

  closed() {
    this.shared?.clear();
  }

  copyOf(encoding) {
    try {
      return this.parcelOf(encoding);
    } catch {
      return GIVEN_AWAY;
    }
  }

  /**
   * @returns {object} the payload of a job as it is sent: `{ value, buffers? }`
   * @throws {unknown} a buffer was taken after it was read
   */
  parcelOf(encoding) {
    return takeBuffers(encoding);
  }

  /** The same for a message to a worker. */
  messageOf({ text }) {
    return text;
  }
}

module.exports = { GIVEN_AWAY, SharingExecutor };
