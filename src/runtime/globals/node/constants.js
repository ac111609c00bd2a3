'use strict';

const { fs, os } = require('sw:constants');

// A program without OpenSSL has none.
function ofCrypto() {
  try {
    return require('node:crypto').constants;
  } catch {
    return {};
  }
}

module.exports = Object.freeze({
  ...os.dlopen,
  ...os.errno,
  ...os.priority,
  ...os.signals,
  ...fs,
  ...ofCrypto(),
});
