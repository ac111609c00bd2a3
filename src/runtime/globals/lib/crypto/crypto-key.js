'use strict';

/* global host */
const { enumerable, inspectable, noArguments, tag } = require('../webidl.js');
const { nodeError } = require('./errors.js');

const KEY = Symbol('construct');

/** A key, whose bytes leave by exportKey only. */
class CryptoKey {
  #keyObject;
  #algorithm;
  #usages;
  #extractable;

  constructor(key, parts) {
    if (key !== KEY) {
      throw nodeError(
        TypeError,
        'ERR_ILLEGAL_CONSTRUCTOR',
        'Illegal constructor',
      );
    }
    this.#keyObject = parts.keyObject;
    this.#algorithm = parts.algorithm;
    this.#usages = parts.usages;
    this.#extractable = parts.extractable;
  }

  get type() {
    return this.#keyObject.type;
  }

  get extractable() {
    return this.#extractable;
  }

  get algorithm() {
    return this.#algorithm;
  }

  get usages() {
    return this.#usages;
  }

  static keyObjectIn(value) {
    return isKey(value) ? value.#keyObject : undefined;
  }

  static copy(key) {
    return new CryptoKey(KEY, {
      keyObject: key.#keyObject,
      extractable: key.#extractable,
      algorithm: host.structuredClone(key.#algorithm, []),
      usages: [...key.#usages],
    });
  }

  static is(value) {
    return typeof value === 'object' && value !== null && #keyObject in value;
  }
}
const { copy: copyKey, is: isKey, keyObjectIn } = CryptoKey;
delete CryptoKey.copy;
delete CryptoKey.keyObjectIn;
delete CryptoKey.is;
tag(CryptoKey);
noArguments(CryptoKey);
enumerable(CryptoKey, ['type', 'extractable', 'algorithm', 'usages']);
inspectable(CryptoKey, ['type', 'extractable', 'algorithm', 'usages']);

/** In the order of the standard, once each. */
const ORDER = [
  'encrypt',
  'decrypt',
  'sign',
  'verify',
  'deriveKey',
  'deriveBits',
  'wrapKey',
  'unwrapKey',
  'encapsulateKey',
  'encapsulateBits',
  'decapsulateKey',
  'decapsulateBits',
];

function makeKey(keyObject, algorithm, extractable, usages) {
  return new CryptoKey(KEY, {
    keyObject,
    algorithm,
    usages: ORDER.filter((usage) => usages.includes(usage)),
    extractable: Boolean(extractable),
  });
}

module.exports = { CryptoKey, copyKey, isKey, keyObjectIn, makeKey };
