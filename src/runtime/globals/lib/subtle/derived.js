'use strict';

const {
  bytesOf,
  domException,
  hashId,
  hashName,
  notSupported,
  operationError,
} = require('./common.js');
const { openssl } = require('../crypto/natives.js');
const { checkUsages, needUsages, secretKey, useKey } = require('./key.js');

/** Passwords and key material: bytes that only lead to others. */
function material(name, derive) {
  return {
    importKey(format, data, _, extractable, usages) {
      if (format !== 'raw') {
        throw notSupported(`${name} keys have no format ${format}`);
      }
      checkUsages(usages, ['deriveKey', 'deriveBits'], false);
      if (extractable) {
        throw domException(`${name} keys are not extractable`, 'SyntaxError');
      }
      needUsages(usages);
      return secretKey({ name }, bytesOf(data, name), false, usages);
    },
    // Null: as many bits as there are.
    keyLength: () => null,
    deriveBits(algorithm, key, length, usage) {
      const secret = useKey(key, name, usage);
      if (length === null || length % 8 !== 0) {
        throw operationError('The length is in bits, of whole bytes');
      }
      const hash = hashId(hashName(algorithm.hash));
      return derive(algorithm, hash, secret, algorithm.salt, length / 8);
    },
  };
}

const PBKDF2 = material(
  'PBKDF2',
  ({ iterations }, hash, secret, salt, size) => {
    if (!(iterations > 0)) throw operationError('iterations is at least 1');
    if (size === 0) return new Uint8Array(0);
    return openssl.pbkdf2(hash, secret, salt, iterations, size);
  },
);

const HKDF = material('HKDF', ({ info }, hash, secret, salt, size) => {
  if (size === 0) return new Uint8Array(0);
  if (size > openssl.digestFacts(hash)[0] * 255) {
    throw operationError('length is too large');
  }
  return openssl.hkdf(hash, secret, salt, info, size);
});

module.exports = { HKDF, PBKDF2 };
