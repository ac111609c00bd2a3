'use strict';

const { availableParallelism } = require('node:os');

const { timerMs } = require('../../base/timer-ms.js');
const {
  createMessageWorker,
} = require('../../message-worker/message-worker.js');

/**
 * A worker whose isolate is up and runs `module`. Its messages go to `receive`,
 * which its taker sets before the first one.
 */
class SpareWorker {
  receive = undefined;
  worker;

  constructor(settings) {
    this.worker = createMessageWorker(settings, (data) => this.receive?.(data));
  }
}

/**
 * Isolates that are started in advance, because the first message would wait
 * for them. Users see a worker only once it is taken. None holds the process.
 */
class SpareWorkers {
  #settings;
  #ready = [];
  #timer;

  /**
   * @param {object} settings of the workers
   * @param {{ poolSize: number, limitMs: number }} size at most one for each
   *   core; those not taken within the limit are ended
   */
  constructor(settings, { poolSize, limitMs }) {
    this.#settings = settings;
    // Threads of Node's cost ten times as much, and as much again unused.
    if (settings.runtime === 'thread') return;
    const count = Math.min(poolSize, availableParallelism());
    try {
      for (let i = 0; i < count; i++) this.#add();
    } catch {
      // The failure is reported when a worker is needed.
    }
    this.#timer = setTimeout(() => this.end(), timerMs(limitMs));
    this.#timer.unref();
  }

  #add() {
    const spare = new SpareWorker(this.#settings);
    spare.worker.unref();
    spare.worker.once('exit', () => {
      this.#ready = this.#ready.filter((other) => other !== spare);
    });
    this.#ready.push(spare);
  }

  /** @returns {SpareWorker} one that holds the process */
  take() {
    const spare = this.#ready.shift();
    if (spare === undefined) return new SpareWorker(this.#settings);
    spare.worker.ref();
    return spare;
  }

  end() {
    clearTimeout(this.#timer);
    for (const { worker } of this.#ready.splice(0)) worker.terminate();
  }
}

module.exports = { SpareWorkers };
