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
const { since } = require('../versions.js');
const { IMPORTING, checkUsages, needUsages, secretKey, useKey } =
  require('./key.js');

const noImport = (name, format) =>
  notSupported(
    since(22)
      ? `Unable to import ${name} using ${format} format`
      : `Unable to import ${name} key with format ${format}`,
  );

/** Passwords and key material: bytes that only lead to others. */
function material(name, derive, raw = 'raw') {
  return {
    importKey(format, data, _, extractable, usages) {
      const isKnown = format === raw || format === 'raw-secret';
      // Newer algorithms look at the format first.
      if (!isKnown && raw !== 'raw') throw noImport(name, format);
      if (extractable) {
        throw domException(`${name} keys are not extractable`, 'SyntaxError');
      }
      checkUsages(usages, ['deriveKey', 'deriveBits'], false, `a ${name}`);
      if (!isKnown) throw noImport(name, format);
      needUsages(usages, IMPORTING);
      return secretKey({ name }, bytesOf(data, name), false, usages);
    },
    // Null: as many bits as there are.
    keyLength: () => null,
    deriveBits(algorithm, key, length, usage) {
      const secret = useKey(key, name, usage);
      if (length === null) throw operationError('length cannot be null');
      if (length % 8 !== 0) {
        throw operationError('length must be a multiple of 8');
      }
      const hash =
        algorithm.hash === undefined
          ? undefined
          : hashId(hashName(algorithm.hash));
      return derive(algorithm, hash, secret, algorithm.salt, length / 8);
    },
  };
}

const PBKDF2 = material(
  'PBKDF2',
  ({ iterations }, hash, secret, salt, size) => {
    if (!(iterations > 0)) throw operationError('iterations cannot be zero');
    if (size === 0) return new Uint8Array(0);
    return openssl.pbkdf2(hash, secret, salt, iterations, size);
  },
);

const HKDF = material('HKDF', ({ info }, hash, secret, salt, size) => {
  if (size === 0) return new Uint8Array(0);
  if (size > openssl.digestFacts(hash)[0] * 255) {
    throw operationError(
      since(24)
        ? 'length exceeds the maximum derived bit length'
        : 'The operation failed for an operation-specific reason',
    );
  }
  return openssl.hkdf(hash, secret, salt, info, size);
});

// In the order of their numbers.
const ARGON2 = ['Argon2d', 'Argon2i', 'Argon2id'];

const argon2 = (name) =>
  material(
    name,
    (
      { nonce, parallelism, memory, passes, secretValue, associatedData },
      _hash,
      secret,
      _salt,
      size,
    ) => {
      if (size < 4) throw operationError('length must be >= 32');
      return openssl.argon2(
        ARGON2.indexOf(name),
        secret,
        nonce,
        parallelism,
        size,
        memory,
        passes,
        secretValue ?? '',
        associatedData ?? '',
      );
    },
    'raw-secret',
  );

module.exports = { ARGON2, HKDF, PBKDF2, argon2 };
