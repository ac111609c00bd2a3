'use strict';

const { OwnEmitter, apply, queueMicrotask } = require('../base/primordials.js');

/**
 * Calls a listener in the middle of a delivery: its error is thrown later,
 * because it must not cost other jobs their results.
 */
function callListener(listener) {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/**
 * The events of a pool, from its first listener on. `drain` and `idle` report
 * changes, so this remembers how things were.
 */
class PoolEvents {
  /** Of the names in WorkerPoolEvents. */
  emitter = new OwnEmitter();
  #admission;
  #neededDrain;
  #wasBusy;

  /** @param {Admission} admission */
  constructor(admission) {
    this.#admission = admission;
    this.#neededDrain = admission.needsDrain;
    this.#wasBusy = admission.inFlight > 0;
  }

  /** @returns {boolean} whether there is a listener for the event */
  hears(name) {
    return this.emitter.listenerCount(name) > 0;
  }

  /** @param {unknown[]} event its name, and what listeners get */
  emit(event) {
    const { emitter } = this;
    callListener(() => apply(emitter.emit, emitter, event));
  }

  /** A job was submitted. */
  note() {
    this.#neededDrain ||= this.#admission.needsDrain;
    this.#wasBusy ||= this.#admission.inFlight > 0;
  }

  // In both, the state is written first, because a listener may fill the queue
  // again or stop the pool: both come back here.

  /** A place became free. */
  lookDrained() {
    const hadNeeded = this.#neededDrain;
    const { needsDrain } = this.#admission;
    this.#neededDrain = needsDrain;
    if (hadNeeded && !needsDrain) this.emit(['drain']);
  }

  /** No job is left. */
  idle() {
    if (!this.#wasBusy) return;
    this.#wasBusy = false;
    this.emit(['idle']);
  }
}

module.exports = { PoolEvents, callListener };
