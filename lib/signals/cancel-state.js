'use strict';

const { callListener } = require('../base/call-listener.js');
const { OwnSet } = require('../base/primordials.js');

/**
 * The terminal flag, reason and listeners behind one cancellation signal.
 *
 * Owned by one signal. The first cancellation is final, and so is its reason.
 * Listeners are a Set, so adding twice registers once and removal is O(1).
 */
class CancelState {
  cancelled = false;
  reason = undefined;
  #listeners = null;
  #onListening;

  /** @param {(listening: boolean) => void} [onListening] first added, last removed */
  constructor(onListening) {
    this.#onListening = onListening;
  }

  add(type, listener) {
    if (type !== 'abort' || typeof listener !== 'function') return;
    if (this.cancelled) return;
    this.#listeners ??= new OwnSet();
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#onListening?.(true);
  }

  remove(type, listener) {
    if (type !== 'abort' || this.#listeners === null) return;
    if (this.#listeners.delete(listener) && this.#listeners.size === 0) {
      this.#onListening?.(false);
    }
  }

  /**
   * Sets the terminal state, then calls each listener with the reason, in
   * registration order. A listener removed by an earlier one is not called.
   *
   * @param {unknown} reason
   * @returns {boolean} false if the state was cancelled before
   */
  cancel(reason) {
    return this.cancelWith(reason, (listener) =>
      callListener(listener, reason),
    );
  }

  /** The same, where `call(listener)` calls each of them, and throws nothing. */
  cancelWith(reason, call) {
    if (this.cancelled) return false;
    this.cancelled = true;
    this.reason = reason;
    this.#listeners?.forEach(call);
    this.#listeners = null;
    return true;
  }
}

module.exports = { CancelState };
