'use strict';

const { PoolEvents } = require('./pool-events.js');

/**
 * The way from what a pool's executor and jobs do to the pool's listeners. It
 * knows who listens to what, because values of workers travel, and receipts are
 * written, only for those who do.
 */
class PoolListeners {
  /** @type {PoolEvents | null} null until somebody asks for the emitter */
  events = null;
  /** Tells the listeners to `job`, if there are some. */
  onJob = null;
  #core;

  /** @param {PoolCore} core */
  constructor(core) {
    this.#core = core;
  }

  /** The emitter of the names in WorkerPoolEvents. */
  get emitter() {
    this.events ??= new PoolEvents(this.#core.admission);
    return this.events.emitter;
  }

  /** The executor has been made. */
  attach(executor) {
    const { watch } = this.#core;
    executor.onWorkerStart = (worker) => {
      watch.workerStarted(executor, worker);
      this.#emit('workerStarted', [worker]);
    };
    executor.onWorkerExit = (_why, worker) => {
      watch.workerExited(executor, worker);
      this.#emit('workerExit', [worker]);
    };
    executor.onMessage = (value) => this.#emit('message', [value]);
    this.changed();
  }

  /**
   * Listeners were added or removed. While there is one for `error`, uncaught
   * errors of workers go there and not to stderr; one for `output` gets what
   * they print.
   */
  changed() {
    if (this.events === null) return;
    this.#hearJobs(this.events.hears('job'));
    const { executor } = this.#core;
    if (executor === null) return;
    const hears = this.events.hears('output');
    executor.onOutput = hears ? this.#output : null;
    const wanted = this.events.hears('error');
    executor.onUncaught = wanted ? this.#uncaught : null;
  }

  #hearJobs(wanted) {
    this.onJob = wanted ? (receipt) => this.#emit('job', [receipt]) : null;
    // No job is a plain one from now on.
    if (wanted) this.#core.watch.measure();
  }

  #output = (output) => {
    this.#emit('output', [output]);
    // It may have been told of one alone.
    if (!this.events.hears('output')) this.changed();
  };

  #uncaught = (error, origin) => {
    // The last listener may have been removed since the error was sent.
    if (!this.events.hears('error')) return;
    this.#emit('error', [error, origin]);
    this.changed();
  };

  /** Nobody waits for what a later worker does of a broadcast. */
  laterFailed(error) {
    if (this.events?.hears('error')) {
      this.#emit('error', [error, 'broadcast']);
    } else {
      const { warnOf } = require('../base/warn-of.js');
      const text = `a broadcast failed in a later worker: ${error.code}`;
      warnOf('SLOPPY_W_BROADCAST', text, error);
    }
  }

  #emit(event, values) {
    if (this.events !== null) this.events.emit(event, values);
  }
}

module.exports = { PoolListeners };
