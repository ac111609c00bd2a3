'use strict';

const { errorOf } = require('../../errors/job-error.js');
const { OwnedPool } = require('../owned/owned-pool.js');
const { requireNode } = require('./child-options.js');
const { ProcessLine } = require('./process-line.js');
const { pack } = require('./small-frames.js');
const { StartPauses } = require('./start-pauses.js');

/**
 * The executor of pools and workers with `runtime: 'process'`: processes of
 * Node's own.
 */
class ProcessPool extends OwnedPool {
  #pauses = new StartPauses();

  /** @throws {SloppyWorkerError} FEATURE_UNAVAILABLE: see requireNode() */
  constructor(settings) {
    requireNode();
    super(settings, ProcessLine);
  }

  refusesStart() {
    return this.#pauses.cause;
  }

  startFailed(status, detail, value) {
    this.#pauses.failed(errorOf(status, detail, value));
  }

  startSucceeded() {
    this.#pauses.succeeded();
  }

  /** The payload as it travels: written once, when it is submitted. */
  copyOf(encoding) {
    const copy = super.copyOf(encoding);
    if (typeof copy !== 'object') return copy;
    return { value: pack(copy.value) };
  }
}

module.exports = { ProcessPool };
