'use strict';

/* global host */
const { enumerable, inspectable, noArguments, tag } = require('../webidl.js');
const { since } = require('../versions.js');
const { nodeError } = require('./errors.js');

const KEY = Symbol('construct');
// Comparisons of Node 20 and 22 read the key of a CryptoKey by it.
const kKeyObject = Symbol('kKeyObject');

function needThis(value) {
  if (isKey(value)) return value;
  throw nodeError(
    TypeError,
    'ERR_INVALID_THIS',
    'Value of "this" must be of type CryptoKey',
  );
}

/** A key, whose bytes leave by exportKey only. */
class CryptoKey {
  #keyObject;
  #algorithm;
  #usages;
  #extractable;
  #shown = {};

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
    return needThis(this).#keyObject.type;
  }

  get extractable() {
    return needThis(this).#extractable;
  }

  get algorithm() {
    return needThis(this).#show('algorithm', this.#algorithm);
  }

  get usages() {
    return needThis(this).#show('usages', this.#usages);
  }

  // Since Node 24 user code sees copies: what it changes in them changes no key.
  #show(name, value) {
    if (!since(24)) return value;
    this.#shown[name] ??= host.structuredClone(value, []);
    return this.#shown[name];
  }

  static keyObjectIn(value) {
    return isKey(value) ? value.#keyObject : undefined;
  }

  /** The parts by themselves, whatever user code has put over them. */
  static slotsOf(key) {
    return {
      type: key.#keyObject.type,
      extractable: key.#extractable,
      algorithm: key.#algorithm,
      usages: key.#usages,
    };
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
const { copy: copyKey, is: isKey, keyObjectIn, slotsOf } = CryptoKey;
delete CryptoKey.copy;
delete CryptoKey.slotsOf;
delete CryptoKey.keyObjectIn;
delete CryptoKey.is;
tag(CryptoKey);
noArguments(CryptoKey);
enumerable(CryptoKey, ['type', 'extractable', 'algorithm', 'usages']);
inspectable(
  CryptoKey,
  ['type', 'extractable', 'algorithm', 'usages'],
  'CryptoKey',
  (key) => slotsOf(needThis(key)),
);

/** The usages in the order of the standard, once each. */
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

if (!since(24)) {
  Object.defineProperty(CryptoKey.prototype, kKeyObject, {
    get() {
      return keyObjectIn(this);
    },
  });
}

module.exports = {
  CryptoKey,
  copyKey,
  isKey,
  kKeyObject,
  keyObjectIn,
  makeKey,
  slotsOf,
};
