'use strict';

const { PayloadEncoder } = require('../payload-encoder.js');
const { OwnedPool } = require('../owned/owned-pool.js');
const { createPackingCodec } = require('../owned/packing-codec.js');
const { ThreadLine } = require('./thread-line.js');

/**
 * The executor of pools and workers with `runtime: 'thread'`: Node's own
 * worker_threads.
 */
class ThreadPool extends OwnedPool {
  constructor(settings) {
    super(settings, ThreadLine);
    const codec = createPackingCodec(undefined, { clones: true });
    this.host = new PayloadEncoder(codec);
  }
}

module.exports = { ThreadPool };
