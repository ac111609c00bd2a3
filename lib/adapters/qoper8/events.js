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

  /** Whether there is any listener. */
  get any() {
    return this.#listeners.size > 0;
  }

  has(type) {
    return this.#listeners.has(type);
  }

  emit(type, data) {
    this.#listeners.get(type)?.call(this.#self, data);
  }

  /** Calls listeners to the pool's own events, whose errors are not the pool's. */
  tell(type, data) {
    const listener = this.#listeners.get(type);
    if (listener === undefined) return;
    try {
      listener.call(this.#self, data);
    } catch (err) {
      surface(err);
    }
  }
}

/**
 * Rethrows an error of a caller's function as an uncaught exception, outside
 * the code that called it.
 */
function surface(err) {
  queueMicrotask(() => {
    throw err;
  });
}

module.exports = { SingleListeners, surface };
