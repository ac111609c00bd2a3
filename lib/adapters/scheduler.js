'use strict';

const path = require('node:path');

const { Code } = require('../protocol/diagnostics.gen.js');
const { WORKER_OPTIONS } = require('./engines/worker-options.js');
const { WorkerPool } = require('./message-pool.js');
const { refuseMistaken } = require('../options/mistaken-options.js');

const DISPATCHER = path.join(__dirname, 'scheduler', 'dispatcher.js');

/**
 * Runs named tasks of one CommonJS module in workers:
 * `module.exports = { name: (payload) => value | promise }`.
 */
class Scheduler {
  #nextTask = 1;

  /**
   * @param {number} numWorkers
   * @param {string} modulePath a relative one counts from the working directory
   * @param {{ runtime?: 'isolate' | 'thread', keepAlive?: boolean,
   *   memoryLimitMb?: number }} [options]
   */
  constructor(numWorkers, modulePath, options = {}) {
    refuseMistaken('Scheduler', options ?? {}, WORKER_OPTIONS);
    const workerData = { modulePath: path.resolve(modulePath) };
    this.workerPool = new WorkerPool(
      numWorkers,
      DISPATCHER,
      workerData,
      options,
    );
  }

  /** Resumes after a stop; not needed at first. */
  start() {
    this.workerPool.resume();
  }

  /**
   * @param {string} name
   * @param {unknown} payload
   * @returns {Promise<unknown>} rejects with `Task <name> failed: <message>`;
   *   the cause is the pool's error
   */
  runTask(name, payload) {
    const promise = this.#run(name, payload, () => {
      // The end of the pool is no unhandled rejection here either.
      promise.catch(() => {});
    });
    return promise;
  }

  async #run(name, payload, onShutdown) {
    const id = this.#nextTask++;
    try {
      return await this.workerPool.submit({ id, type: name, payload });
    } catch (cause) {
      if (cause?.code === Code.ShutdownCancelled) onShutdown();
      const text = typeof cause === 'string' ? cause : cause?.message;
      const err = new Error(`Task ${name} failed: ${text}`, { cause });
      if (cause?.code)
        Object.defineProperty(err, 'code', { value: cause.code });
      throw err;
    }
  }

  /** Ends the workers; the process goes on. */
  async stop() {
    await this.workerPool.terminate();
  }

  async [Symbol.asyncDispose]() {
    await this.stop();
  }
}

module.exports = { Scheduler };
