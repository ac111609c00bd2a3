'use strict';

const { Packed } = require('../owned/packed.js');
const { requireNode } = require('./child-options.js');
const { PausingPool } = require('./pausing-pool.js');
const { ProcessLine } = require('./process-line.js');
const { packLater } = require('./small-frames.js');

/**
 * The executor of pools and workers with `runtime: 'process'`: processes of
 * Node's own.
 */
class ProcessPool extends PausingPool {
  /** @throws {SloppyWorkerError} FEATURE_UNAVAILABLE: see requireNode() */
  constructor(settings) {
    requireNode();
    super(settings, ProcessLine);
  }

  /**
   * The payload as it travels: written once, when it is submitted; a long text,
   * which nobody can change, when it is sent.
   */
  copyOf(encoding) {
    const copy = super.copyOf(encoding);
    if (typeof copy !== 'object') return copy;
    const { value } = copy;
    return value instanceof Packed ? copy : { value: packLater(value) };
  }
}

module.exports = { ProcessPool };
