'use strict';

// HMAC, of crypto.subtle.

const { invalidValue, needInteger, outOfRange } =
  require('../crypto/errors.js');
const { openssl } = require('../crypto/natives.js');
const {
  attempt,
  dataError,
  hashId,
  hashName,
  notSupported,
  operationError,
} = require('./common.js');
const { slotsOf, useKey } = require('./key.js');
const { FAILED, secretKeys } = require('./symmetric.js');
const { since } = require('../versions.js');

const BLOCK_BITS = {
  'SHA-1': 512,
  'SHA-256': 512,
  'SHA-384': 1024,
  'SHA-512': 1024,
};

// The length of a key for which none is named; the standard names none for
// SHA-3.
function blockBits(hash) {
  const bits = BLOCK_BITS[hash];
  if (bits !== undefined) return bits;
  throw notSupported('Explicit algorithm length member is required');
}

const equal = (left, right) => openssl.timingSafeEqual(left, right) ?? false;

function tagOf(key, usage, data) {
  const secret = useKey(key, 'HMAC', usage);
  const { algorithm } = slotsOf(key);
  return openssl.hmac(hashId(algorithm.hash.name), secret, data, false);
}

function needWholeBytes(length) {
  const name = 'algorithm.length';
  if (length < 0) throw outOfRange(name, '> 0', length);
  if (length % 8 === 0) return;
  throw invalidValue(name, length, 'must be a multiple of 8');
}

const macBits = ({ hash, length = blockBits(hashName(hash)) }) => length;

/** The bits of a key that was given; Node 20 looks at bare bytes alone. */
function bitsOfMac(length, bits, format) {
  if (!since(22)) {
    if (format === 'jwk') return bits;
    if (bits !== 0 && length % 8 > 0) throw dataError('Invalid key length');
  }
  if (bits === 0 || length === 0) {
    throw dataError('Zero-length key is not supported');
  }
  return bitsGiven(length, bits);
}

function bitsGiven(length = undefined, bits) {
  if (length === undefined) return bits;
  if (Math.ceil(length / 8) * 8 === bits) return length;
  throw dataError('Invalid key length');
}

const HMAC = {
  ...secretKeys({
    usages: ['sign', 'verify'],
    describe: ({ hash, length }, bits, format) => ({
      name: 'HMAC',
      length: bitsOfMac(length, bits, format),
      hash: { name: hashName(hash) },
    }),
    before(algorithm) {
      if (!since(22)) needWholeBytes(macBits(algorithm));
      else if (!since(26)) macBits(algorithm);
    },
    generate(algorithm) {
      const bits = macBits(algorithm);
      if (!since(24)) {
        attempt(FAILED, () =>
          needInteger(bits, 'options.length', 8, 2 ** 31 - 1),
        );
      }
      return bits;
    },
    alg: ({ hash: { name } }) =>
      name.startsWith('SHA-') ? `HS${name.slice('SHA-'.length)}` : undefined,
  }),
  keyLength(algorithm) {
    const bits = macBits(algorithm);
    if (bits > 0) return bits;
    throw since(26)
      ? invalidValue('algorithm.length', bits, 'must not be zero')
      : operationError('Invalid key length');
  },
  sign: (_, key, data) => tagOf(key, 'sign', data),
  verify: (_, key, signature, data) =>
    equal(tagOf(key, 'verify', data), signature),
};

module.exports = { HMAC, bitsGiven };
