'use strict';

const { now } = require('../../base/own-time.js');

const FAILURES = 3;
const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

/**
 * Tells when a pool may start a process: not for a while after three starts in a row
 * have failed, because a start costs a tenth of a second of CPU, and a job that
 * waits would begin the next one. The pause doubles with each further failure.
 */
class StartPauses {
  #failures = 0;
  #until = 0;
  #first;

  /** @param {Error} cause of a start that has failed */
  failed(cause) {
    this.#failures += 1;
    this.#first ??= cause;
    const more = this.#failures - FAILURES;
    if (more < 0) return;
    this.#until = now() + Math.min(FIRST_MS * 2 ** more, LONGEST_MS);
  }

  succeeded() {
    this.#failures = 0;
    this.#until = 0;
    this.#first = undefined;
  }

  /** @returns {Error | undefined} why none may be started now */
  get cause() {
    return now() < this.#until ? this.#first : undefined;
  }
}

module.exports = { StartPauses };
