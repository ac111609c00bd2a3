'use strict';

/** One listener per event name; a second `on` is ignored until `off`. */
class SingleListeners {
  #listeners = new Map();
  #self;

  constructor(self) {
    this.#self = self;
  }

  on(type, listener) {
    if (!this.#listeners.has(type)) this.#listeners.set(type, listener);
  }

  off(type) {
    this.#listeners.delete(type);
  }

  has(type) {
    return this.#listeners.has(type);
  }

  emit(type, data) {
    this.#listeners.get(type)?.call(this.#self, data);
  }

  /** For the pool's own events: a listener's error is not the pool's. */
  tell(type, data) {
    const listener = this.#listeners.get(type);
    if (listener !== undefined) runApart(() => listener.call(this.#self, data));
  }
}

/**
 * Runs a caller's function; what it throws surfaces as an uncaught exception
 * of its own, outside the bookkeeping that called it.
 */
function runApart(fn) {
  try {
    fn();
  } catch (err) {
    queueMicrotask(() => {
      throw err;
    });
  }
}

module.exports = { SingleListeners, runApart };
