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
    // Cannot wait, hence does not drain.
    [Symbol.dispose]: {
      value() {
        this.stop({ drain: false });
      },
    },
  });
}

module.exports = { disposable };
