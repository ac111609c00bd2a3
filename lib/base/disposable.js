'use strict';

/**
 * Gives a class with a `stop` method the two disposal protocols. Not every
 * realm has the symbols: a vm context of Node 20 does not.
 */
function disposable(Class) {
  if (Symbol.asyncDispose === undefined) return;
  Object.defineProperties(Class.prototype, {
    [Symbol.asyncDispose]: {
      value() {
        return this.stop();
      },
    },
    // Does not drain, because it cannot wait.
    [Symbol.dispose]: {
      value() {
        this.stop({ drain: false });
      },
    },
  });
}

module.exports = { disposable };
