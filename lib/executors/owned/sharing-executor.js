'use strict';

const { PayloadEncoder } = require('../payload-encoder.js');
const { PoolExecutor } = require('../executor.js');
const { Carry } = require('../../protocol/codec/grammar.js');
const { createPlainCodec } = require('./plain-codec.js');

/** The part of OwnedPool that Shares asks for: see there. */
class SharingExecutor extends PoolExecutor {
  host = new PayloadEncoder(createPlainCodec());
  /** @type {SharedParts | null} null before the first shared value */
  shared = null;

  get sharedEncoder() {
    this.shared ??= new (require('./shared-parts.js').SharedParts)();
    return this.sharedCarry === Carry.CLONED ? this.host : this.shared.encoder;
  }

  get sharedCarry() {
    const { carry } = this.settings;
    return carry === Carry.CLONED ? carry : Carry.SHARING;
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
}

module.exports = { SharingExecutor };
