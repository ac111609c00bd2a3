'use strict';

const { errorOf } = require('../../errors/job-error.js');
const { OwnedPool } = require('../owned/owned-pool.js');
const { StartPauses } = require('./start-pauses.js');

/** The executor of workers that are processes: starts that fail pause. */
class PausingPool extends OwnedPool {
  #pauses = new StartPauses();

  refusesStart() {
    return this.#pauses.cause;
  }

  startFailed(status, detail, value) {
    this.#pauses.failed(errorOf(status, detail, value));
  }

  // One job fails, as with a process that it had ended: the next process may live.
  // A third failure in a row ends those that are left.
  bootFailed(status, detail, value, at, most = 1) {
    this.failWaiting(status, detail, value, at, most);
  }

  startSucceeded() {
    this.#pauses.succeeded();
  }
}

module.exports = { PausingPool };
