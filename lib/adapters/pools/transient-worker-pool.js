'use strict';

const { refuseMistaken } = require('../../options/mistaken-options.js');
const { OPTIONS, startWorker } = require('./start-worker.js');

/**
 * A new worker for every `getWorker()`, ended when it is released. Needs no
 * clean-up: a script that released its workers ends by itself.
 */
class TransientWorkerPool {
  #options;
  #requestId = 0;

  /**
   * @param {{ workerURL?: string | URL, runtime?: 'isolate' | 'thread',
   *   memoryLimitMb?: number }} [options]
   */
  constructor(options = {}) {
    refuseMistaken('TransientWorkerPool', options, OPTIONS);
    this.#options = options;
  }

  get size() {
    return 0;
  }

  isFull() {
    return false;
  }

  getNextRequestId() {
    return this.#requestId++;
  }

  /**
   * @param {string | URL} [workerURL] default: the pool's
   * @returns {Promise<import('../../message-worker/message-worker.js').MessageWorker>}
   */
  async getWorker(workerURL) {
    const url = workerURL ?? this.#options.workerURL;
    return startWorker(url, this.#options).ready;
  }

  releaseWorker(worker) {
    worker.terminate();
  }

  /** Nothing to do: workers in use go on, the pool stays usable. */
  terminate() {}

  [Symbol.dispose]() {
    this.terminate();
  }
}

module.exports = { TransientWorkerPool };
