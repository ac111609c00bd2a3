'use strict';

const { define, errors } = require('./builtins.js');

// The classes of Node's errors that are not plain ones.
const CLASSES = {
  __proto__: null,
  ERR_IMPORT_ATTRIBUTE_UNSUPPORTED: errors.TypeError,
  ERR_INVALID_ARG_TYPE: errors.TypeError,
  ERR_INVALID_ARG_VALUE: errors.TypeError,
  ERR_INVALID_FILE_URL_HOST: errors.TypeError,
  ERR_INVALID_FILE_URL_PATH: errors.TypeError,
  ERR_INVALID_MODULE_SPECIFIER: errors.TypeError,
  ERR_INVALID_TYPESCRIPT_SYNTAX: errors.SyntaxError,
  ERR_INVALID_URL: errors.TypeError,
  ERR_INVALID_URL_SCHEME: errors.TypeError,
  ERR_PACKAGE_IMPORT_NOT_DEFINED: errors.TypeError,
  ERR_SOURCE_PHASE_NOT_DEFINED: errors.SyntaxError,
  ERR_UNKNOWN_MODULE_FORMAT: errors.RangeError,
  ERR_UNSUPPORTED_RESOLVE_REQUEST: errors.TypeError,
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX: errors.SyntaxError,
};

/**
 * @param {string} code Node's
 * @param {string} message
 */
function moduleError(code, message) {
  const ErrorClass = CLASSES[code] ?? errors.Error;
  return define(new ErrorClass(message), 'code', code);
}

/**
 * An error in the text of a file.
 *
 * @param {string} message
 * @param {unknown} [cause]
 */
function textError(message, cause = undefined) {
  const error = new errors.SyntaxError(message);
  return cause === undefined ? error : define(error, 'cause', cause, false);
}

function asyncError(url) {
  return moduleError(
    'ERR_REQUIRE_ASYNC_MODULE',
    `require() cannot load ${url}, which awaits at its top level; use ` +
      'import()',
  );
}

// Node 20 and 22 fail an assertion there, and run none of its code.
function unlinkedError(url) {
  return moduleError(
    'ERR_INTERNAL_ASSERTION',
    `Cannot import ${url}, because a require() of it, or of a module that ` +
      'depends on it, has failed to link it; mend what that one has thrown',
  );
}

module.exports = { asyncError, moduleError, textError, unlinkedError };
