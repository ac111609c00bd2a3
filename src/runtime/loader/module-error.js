'use strict';

/**
 * @param {string} code Node's
 * @param {string} message
 */
function moduleError(code, message) {
  return Object.assign(new Error(message), { code });
}

module.exports = { moduleError };
