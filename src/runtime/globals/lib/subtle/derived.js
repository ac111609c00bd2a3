'use strict';

const {
  attempt,
  bytesOf,
  domException,
  hashId,
  hashName,
  notSupported,
  operationError,
} = require('./common.js');
const { needInteger, outOfRange, refused } = require('../crypto/errors.js');
const { openssl } = require('../crypto/natives.js');
const { since } = require('../versions.js');
const { IMPORTING, checkUsages, needUsages, secretKey, useKey } =
  require('./key.js');
const { validate } = require('./normalize.js');

const FAILED = 'The operation failed for an operation-specific reason';

const noImport = (name, format) =>
  notSupported(
    since(22)
      ? `Unable to import ${name} using ${format} format`
      : `Unable to import ${name} key with format ${format}`,
  );

/** Passwords and key material: bytes that only lead to others. */
function material(
  name,
  derive,
  { raw = 'raw', first = () => {}, fits = () => {} } = {},
) {
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
      first(algorithm);
      needLength(length);
      const hash =
        algorithm.hash === undefined
          ? undefined
          : hashId(hashName(algorithm.hash));
      fits(hash, length / 8);
      validate(algorithm);
      return derive(algorithm, hash, secret, algorithm.salt, length / 8);
    },
  };
}

function needLength(length) {
  if (length === null) throw operationError('length cannot be null');
  if (length % 8 === 0) return;
  throw operationError('length must be a multiple of 8');
}

function needIterations({ iterations }) {
  if (iterations > 0) return;
  throw operationError('iterations cannot be zero');
}

const MOST_ITERATIONS = 2 ** 31 - 1;

function checkIterations(iterations) {
  if (iterations <= MOST_ITERATIONS) return;
  if (since(26)) {
    throw operationError('iterations exceeds the implementation limit');
  }
  attempt(FAILED, () =>
    needInteger(iterations, 'iterations', 1, MOST_ITERATIONS),
  );
}

const PBKDF2 = material(
  'PBKDF2',
  (algorithm, hash, secret, salt, size) => {
    const { iterations } = algorithm;
    needIterations(algorithm);
    if (size === 0) return new Uint8Array(0);
    checkIterations(iterations);
    return openssl.pbkdf2(hash, secret, salt, iterations, size);
  },
  // Node 20 looks at them before the length.
  { first: since(22) ? undefined : needIterations },
);

const LONGEST_INFO = 1024;

const mostOf = (hash) => openssl.digestFacts(hash)[0] * 255;

// Older Nodes look at it as node:crypto does.
function checkExpansion(info, size, hash) {
  if (since(24)) return;
  attempt(FAILED, () => {
    if (info.length > LONGEST_INFO) {
      const range = `must not contain more than ${LONGEST_INFO} bytes`;
      throw outOfRange('info', range, info.length);
    }
    if (size <= mostOf(hash)) return;
    throw refused('INVALID_KEYLEN', 'Invalid key length', RangeError);
  });
}

const HKDF = material(
  'HKDF',
  ({ info }, hash, secret, salt, size) => {
    if (size === 0) return new Uint8Array(0);
    checkExpansion(info, size, hash);
    return openssl.hkdf(hash, secret, salt, info, size);
  },
  {
    fits(hash, size) {
      if (!since(24) || size <= mostOf(hash)) return;
      throw operationError('length exceeds the maximum derived bit length');
    },
  },
);

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
    { raw: 'raw-secret' },
  );

module.exports = { ARGON2, HKDF, PBKDF2, argon2 };
