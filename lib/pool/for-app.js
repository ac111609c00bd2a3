'use strict';

/**
 * Gives the class of a handle what an app calls to stop it.
 *
 * @param {Function} Class with a method `stop`
 */
function stoppedByApp(Class) {
  Object.defineProperty(Class.prototype, '__sloppyStopForApp', {
    writable: true,
    configurable: true,
    /** @returns {Promise<{ forced: boolean }>} whether work was abandoned */
    async value(_reason, options = undefined) {
      const { forced } = await this.stop({ timeoutMs: options?.timeoutMs });
      return { forced: forced > 0 };
    },
  });
}

module.exports = { stoppedByApp };
