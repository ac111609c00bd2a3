'use strict';

const {
  bytesOf,
  domException,
  findHash,
  hashName,
  notSupported,
  operationError,
} = require('./common.js');
const { checkUsages, makeKey, useKey } = require('./key.js');

/** Passwords and key material: bytes that only lead to others. */
function material(name, derive) {
  return {
    importKey(format, data, _, extractable, usages) {
      if (format !== 'raw') {
        throw notSupported(`${name} keys have no format ${format}`);
      }
      checkUsages(usages, ['deriveKey', 'deriveBits'], true);
      if (extractable) {
        throw domException(`${name} keys are not extractable`, 'SyntaxError');
      }
      return makeKey('secret', { name }, bytesOf(data, name), false, usages);
    },
    deriveBits(algorithm, key, length, usage) {
      const secret = useKey(key, name, usage);
      if (length === null || length === undefined || length % 8 !== 0) {
        throw operationError('The length is in bits, of whole bytes');
      }
      const hash = findHash(hashName(algorithm.hash));
      const salt = bytesOf(algorithm.salt, 'salt');
      if (length === 0) return new Uint8Array(0);
      return derive(algorithm, hash, secret, salt, length / 8);
    },
  };
}

const PBKDF2 = material(
  'PBKDF2',
  ({ iterations }, hash, secret, salt, size) => {
    if (!(iterations > 0)) throw operationError('iterations is at least 1');
    const { pbkdf2 } = require('sw:hashes');
    return pbkdf2(hash, secret, salt, { c: iterations, dkLen: size });
  },
);

const HKDF = material('HKDF', ({ info }, hash, secret, salt, size) => {
  const more = bytesOf(info, 'info');
  if (size > hash.outputLen * 255) throw operationError('length is too large');
  return require('sw:hashes').hkdf(hash, secret, salt, more, size);
});

module.exports = { HKDF, PBKDF2 };
