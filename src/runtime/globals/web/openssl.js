'use strict';

/* global host */
// OpenSSL's natives (src/isolate/libraries), and the numbers that they take.

const natives = host.library?.('crypto');

/** Throws what every name of a Node without OpenSSL throws. */
function missing() {
  const { unsupportedError } = require('../lib/unsupported.js');
  throw unsupportedError('crypto', 'this Node has no OpenSSL');
}

module.exports = {
  Format: { der: 0, pem: 1 },
  Form: { pkcs1: 0, spki: 1, pkcs8: 2, sec1: 3 },
  openssl:
    natives ??
    new Proxy(
      {},
      {
        get: () => missing,
      },
    ),
};
