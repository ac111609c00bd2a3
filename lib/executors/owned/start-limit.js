'use strict';

const { areThreadsDebugged } = require('../../base/debugger.js');
const { limitsNow } = require('../../base/limits-clock.js');
const { now } = require('../../base/own-time.js');
const { schedule } = require('../../timers/timer-heap.js');

const LOOSE = { __proto__: null, ref: false };

/** The limit of the part of a worker's start that goes on. */
class StartLimit {
  #stateNow;
  #expired;
  #timer;
  #isOver = false;

  /**
   * @param {() => number | Promise<number>} stateNow one of Start, as it is now,
   *   because the owner may have been busy
   * @param {() => void} expired the part takes longer
   */
  constructor(stateNow, expired) {
    this.#stateNow = stateNow;
    this.#expired = expired;
  }

  /** A part begins. */
  begin(timeoutMs, state) {
    this.#timer?.cancel();
    const expiresAt = limitsNow() + timeoutMs;
    const end = async () => {
      const isStill = (await this.#stateNow()) === state;
      if (!isStill || this.#isOver) return;
      const left = areThreadsDebugged() ? timeoutMs : expiresAt - limitsNow();
      if (left > 0) this.begin(left, state);
      else this.#expired();
    };
    this.#timer = schedule(now() + timeoutMs, end, LOOSE);
  }

  /** The worker is ready, or has gone. */
  end() {
    this.#isOver = true;
    this.#timer?.cancel();
  }
}

module.exports = { StartLimit };
