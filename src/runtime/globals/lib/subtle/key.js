'use strict';

/* global host */
const { enumerable, inspectable, noArguments, tag } = require('../webidl.js');
const { domException } = require('./common.js');

const KEY = Symbol('construct');

/** A key, whose bytes leave by exportKey only. */
class CryptoKey {
  #type;
  #extractable;
  #algorithm;
  #usages;
  #bytes;

  constructor(key, { type, extractable, algorithm, usages, bytes }) {
    if (key !== KEY) throw new TypeError('Illegal constructor');
    this.#type = type;
    this.#extractable = extractable;
    this.#algorithm = algorithm;
    this.#usages = usages;
    this.#bytes = bytes;
  }

  get type() {
    return this.#type;
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

  static bytesIn(value) {
    return value.#bytes;
  }

  static copy(key) {
    return new CryptoKey(KEY, {
      type: key.#type,
      extractable: key.#extractable,
      algorithm: host.structuredClone(key.#algorithm, []),
      usages: [...key.#usages],
      bytes: key.#bytes,
    });
  }

  static is(value) {
    return typeof value === 'object' && value !== null && #bytes in value;
  }
}
const { bytesIn, copy: copyKey, is: isKey } = CryptoKey;
delete CryptoKey.copy;
delete CryptoKey.bytesIn;
delete CryptoKey.is;
tag(CryptoKey);
noArguments(CryptoKey);
enumerable(CryptoKey, ['type', 'extractable', 'algorithm', 'usages']);
inspectable(CryptoKey, ['type', 'extractable', 'algorithm', 'usages']);

/**
 * @param {'secret' | 'private' | 'public'} type
 * @param {object} algorithm as `key.algorithm` shows it
 * @param {Uint8Array} bytes
 * @param {boolean} extractable
 * @param {string[]} usages
 */
function makeKey(type, algorithm, bytes, extractable, usages) {
  return new CryptoKey(KEY, {
    type,
    extractable: type === 'public' || Boolean(extractable),
    algorithm,
    usages: [...new Set(usages)],
    bytes,
  });
}

function needKey(key, where) {
  if (!isKey(key)) throw new TypeError(`${where}: not a CryptoKey`);
}

/** The bytes of a key that may be used so. */
function useKey(key, algorithm, usage) {
  needKey(key, `SubtleCrypto.${usage}`);
  if (key.algorithm.name !== algorithm) {
    throw domException('Key algorithm mismatch', 'InvalidAccessError');
  }
  if (!key.usages.includes(usage)) {
    throw domException(
      `Unable to use this key to ${usage}`,
      'InvalidAccessError',
    );
  }
  return bytesIn(key);
}

/** Refuses usages that the algorithm has not, and secrets without any. */
function checkUsages(usages, allowed, needed) {
  if (usages.some((usage) => !allowed.includes(usage))) {
    throw domException('Unsupported key usage', 'SyntaxError');
  }
  if (needed) needUsages(usages);
}

function needUsages(usages) {
  if (usages.length > 0) return;
  throw domException('Usages cannot be empty', 'SyntaxError');
}

module.exports = {
  CryptoKey,
  bytesIn,
  checkUsages,
  copyKey,
  isKey,
  makeKey,
  needKey,
  needUsages,
  useKey,
};
