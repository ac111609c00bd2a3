'use strict';

const { boundListener } = require('../base/bound-listener.js');
const { Contexts } = require('../base/async-contexts.js');
const { Dispatcher } = require('./qoper8/dispatcher.js');
const { SingleListeners } = require('./qoper8/events.js');
const { normaliseOptions } = require('./qoper8/options.js');
const { unwatchSignals, watchSignals } = require('./qoper8/signals.js');
const { memoryFigures, upTime } = require('./qoper8/up-time.js');

const BOUND = [
  'message',
  'on',
  'off',
  'emit',
  'getQueueLength',
  'setPoolSize',
  'setOnStartupModule',
  'upTime',
  'getStats',
  'stop',
  'start',
];

/**
 * A pool of workers fed from one queue: every message goes, in the order it
 * came, to the first free worker, whose handler for the message's type answers
 * it. Workers are started when a message waits and none is free.
 *
 * Never mutates options, handlers and messages.
 */
class QOper8 {
  #options;
  #events = new SingleListeners(this);
  #contexts = new Contexts('QOper8Message');
  #dispatcher;
  #startedAt = Date.now();

  /** @param {object} [options] see docs/neighbours/qoper8.md */
  constructor(options) {
    this.name = 'QOper8-wt';
    this.build = '6.0';
    this.buildDate = '28 September 2023';
    this.logging = options?.logging || false;
    this.handlersByMessageType = options?.handlersByMessageType || new Map();
    this.#options = normaliseOptions(options);
    this.#dispatcher = new Dispatcher(this, this.#events, this.#options, () =>
      this.#contexts.forget(),
    );
    this.#bindMethods();
    if (this.logging) this.#printBanner();
    watchSignals(this);
  }

  /**
   * @param {object} message `{ type, ... }`
   * @returns {Promise<object>} the handler's answer, or one with `error`
   * @throws {SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD} it cannot travel
   */
  send(message) {
    return new Promise((resolve, reject) => {
      this.#dispatcher.add(message, resolve, reject);
    });
  }

  /**
   * @param {object} message
   * @param {(answer: object, workerId: number) => void} [callback]
   */
  message(message, callback) {
    // The async context for the callback.
    const context = callback ? this.#contexts.keep(anyPromise()) : undefined;
    this.#dispatcher.add(message, callback, undefined, context);
  }

  log(text) {
    if (this.logging) console.log(`${Date.now()}: ${text}`);
  }

  on(type, listener) {
    this.#events.on(type, boundListener(listener));
  }

  off(type) {
    this.#events.off(type);
  }

  emit(type, data) {
    this.#events.emit(type, data);
  }

  /** @returns {number} messages that wait, without those that run */
  getQueueLength() {
    return this.#dispatcher.waiting;
  }

  /** Ignored unless 0 < size <= maxPoolSize. Ends no running worker. */
  setPoolSize(size) {
    if (+size > 0 && +size <= this.#options.maxPoolSize) {
      this.#options.poolSize = +size;
    }
  }

  /** Takes effect once, and only when the constructor got no `onStartup`. */
  setOnStartupModule(startup) {
    if (!this.#options.onStartup && startup?.module) {
      this.#options.onStartup = startup;
    }
  }

  upTime() {
    return upTime(this.#startedAt);
  }

  /** Figures of this process and of each worker; waits for busy workers. */
  async getStats() {
    const stats = {
      main_process: {
        pid: process.pid,
        upTime: this.upTime(),
        noOfMessages: this.#dispatcher.accepted,
        memory: memoryFigures(process.memoryUsage()),
        queue_length: this.#dispatcher.waiting,
      },
      worker_threads: {},
    };
    for (const [id, worker] of [...this.#dispatcher.workers]) {
      if (!worker.free) {
        this.log(`Waiting for Worker Thread ${id} to become available`);
      }
      const figures = await worker.stats();
      if (figures) stats.worker_threads[id] = figures;
    }
    return stats;
  }

  /**
   * Refuses new messages, and ends each worker after its current message.
   * Waiting messages stay in the queue and in the backup.
   *
   * @returns {Promise<void>}
   */
  async stop() {
    const stillStopped = await this.#dispatcher.stop();
    if (stillStopped) unwatchSignals(this);
    this.#events.tell('stop');
    this.log(
      'No Worker Threads are running: QOper8 is no longer handling messages',
    );
    if (this.#options.exitOnStop) process.exit();
  }

  /** Takes messages again, those that `stop()` left waiting first. */
  start() {
    this.#dispatcher.start();
    watchSignals(this);
    this.log('QOper8 will now handle messages');
    this.#events.tell('start');
    this.#dispatcher.dispatch();
  }

  async [Symbol.asyncDispose]() {
    await this.stop();
  }

  // Bound, because programs pass them on: `setTimeout(qoper8.stop, 1000)`.
  #bindMethods() {
    for (const name of BOUND) {
      // A subclass may have its own.
      if (this[name] === QOper8.prototype[name]) {
        this[name] = this[name].bind(this);
      }
    }
  }

  #printBanner() {
    const line = '='.repeat(56);
    console.log(line);
    console.log(
      `qoper8-wt Build ${this.build}; ${this.buildDate} running in process ` +
        process.pid,
    );
    console.log(`Max worker pool size: ${this.#options.poolSize}`);
    console.log(line);
  }
}

const nothing = () => {};
const anyPromise = () => new Promise(nothing);

module.exports = { QOper8 };
