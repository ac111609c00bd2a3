'use strict';

const { callListeners } = require('../base/call-listener.js');
const { OwnEmitter } = require('../base/primordials.js');

/**
 * The events of a pool, from its first listener on. `drain` and `idle` report
 * changes, so this remembers how things were.
 */
class PoolEvents {
  /** Its events have the names in WorkerPoolEvents. */
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

  /**
   * @param {string} event
   * @param {unknown[]} [values] what listeners get
   */
  emit(event, values = []) {
    callListeners(this.emitter, event, values);
  }

  /** A job was submitted. */
  note() {
    this.#neededDrain ||= this.#admission.needsDrain;
    this.#wasBusy ||= this.#admission.inFlight > 0;
  }

  // The state is written first in both, because a listener may fill the queue
  // again or stop the pool: both come back here.

  /** A place became free. */
  lookDrained() {
    const hadNeeded = this.#neededDrain;
    const { needsDrain } = this.#admission;
    this.#neededDrain = needsDrain;
    if (hadNeeded && !needsDrain) this.emit('drain');
  }

  /** No job is left. */
  idle() {
    if (!this.#wasBusy) return;
    this.#wasBusy = false;
    this.emit('idle');
  }
}

module.exports = { PoolEvents };
