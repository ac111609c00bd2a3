'use strict';

// The classes of keys, which node:crypto, crypto.subtle and structuredClone
// share. Few programs have a CryptoKey, whose class is made when they ask for
// it.

let made;
const ofWeb = () => {
  made ??= require('../lib/crypto/crypto-key.js');
  return made;
};

module.exports = {
  ...require('../lib/crypto/key-object.js'),
  get CryptoKey() {
    return ofWeb().CryptoKey;
  },
  get kKeyObject() {
    return ofWeb().kKeyObject;
  },
  copyKey: (key) => ofWeb().copyKey(key),
  isKey: (value) => made?.isKey(value) ?? false,
  keyObjectIn: (value) => made?.keyObjectIn(value),
  makeKey: (...parts) => ofWeb().makeKey(...parts),
  slotsOf: (key) => ofWeb().slotsOf(key),
};
