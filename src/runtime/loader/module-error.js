'use strict';

// The classes of Node's errors that are not plain ones.
const CLASSES = {
  __proto__: null,
  ERR_INVALID_MODULE_SPECIFIER: TypeError,
  ERR_INVALID_URL: TypeError,
  ERR_PACKAGE_IMPORT_NOT_DEFINED: TypeError,
  ERR_UNKNOWN_MODULE_FORMAT: RangeError,
};

/**
 * @param {string} code Node's
 * @param {string} message
 */
function moduleError(code, message) {
  return Object.assign(new (CLASSES[code] ?? Error)(message), { code });
}

module.exports = { moduleError };
