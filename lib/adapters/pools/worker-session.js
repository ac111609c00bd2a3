'use strict';

const { refuseMistaken } = require('../../options/mistaken-options.js');
const { OPTIONS, startWorker } = require('./start-worker.js');

const KNOWN = ['workerPool', ...OPTIONS];

/**
 * One worker for the length of a scope: from a pool, to which it goes back, or
 * its own, which ends with the session.
 */
class WorkerSession {
  #worker;
  #pool;
  #requestId = 0;

  constructor(worker, pool) {
    this.#worker = worker;
    this.#pool = pool;
  }

  /**
   * @param {{ workerURL?: string | URL, workerPool?: object,
   *   runtime?: 'isolate' | 'thread', memoryLimitMb?: number }} [options]
   *   `workerPool`: any object with the pool interface
   * @returns {Promise<WorkerSession>}
   */
  static async create(options) {
    const given = options ?? {};
    refuseMistaken('WorkerSession.create', given, KNOWN);
    const { workerPool, workerURL, ...settings } = given;
    const worker = workerPool
      ? await workerPool.getWorker(workerURL)
      : await startWorker(workerURL, settings).ready;
    return new WorkerSession(worker, workerPool);
  }

  getWorker() {
    return this.#worker;
  }

  /** The pool's counter, or the session's own from 0. */
  getNextRequestId() {
    return this.#pool ? this.#pool.getNextRequestId() : this.#requestId++;
  }

  [Symbol.dispose]() {
    if (this.#pool) this.#pool.releaseWorker(this.#worker);
    else this.#worker.terminate();
  }
}

module.exports = { WorkerSession };
