'use strict';

const { fs, os } = require('sw:constants');

// A program without OpenSSL has none.
function ofCrypto() {
  try {
    const { defaultCipherList: _, ...numbers } =
      require('node:crypto').constants;
    return numbers;
  } catch {
    return {};
  }
}

module.exports = {
  ...os.dlopen,
  ...os.errno,
  ...os.priority,
  ...os.signals,
  ...fs,
  ...ofCrypto(),
};
