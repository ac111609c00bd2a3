'use strict';

// KeyObject and CryptoKey. A bundle of its own (sw:keys) has them, because
// node:crypto, crypto.subtle and structuredClone must mean the same classes.

module.exports = require('sw:keys');
