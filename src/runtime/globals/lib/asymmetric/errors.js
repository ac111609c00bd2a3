'use strict';

const { nodeError } = require('../node-error.js');

/** OpenSSL's error for data that it cannot read as a key. */
const unreadable = () =>
  nodeError(
    Error,
    'ERR_OSSL_UNSUPPORTED',
    'error:1E08010C:DECODER routines::unsupported',
  );

const invalidValue = (name, value) =>
  nodeError(
    TypeError,
    'ERR_INVALID_ARG_VALUE',
    `The property '${name}' is invalid. Received ${String(value)}`,
  );

const incompatible = (message) =>
  nodeError(Error, 'ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS', message);

module.exports = { incompatible, invalidValue, unreadable };
