'use strict';

// The classes of keys, which node:crypto, crypto.subtle and structuredClone
// share.

module.exports = {
  ...require('../lib/crypto/crypto-key.js'),
  ...require('../lib/crypto/key-object.js'),
};
