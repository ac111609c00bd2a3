'use strict';

// RSA's schemes over one library; hashes are named as Node names them.

const library = require('micro-rsa-dsa-dh/rsa.js');
const { isProbablePrimeRSA } = require('micro-rsa-dsa-dh/primality.js');
const { gcd, invert, randomBits } = require('micro-rsa-dsa-dh/utils.js');

const { bitsOf } = require('./subtle/rsa-key.js');

const { findHash } = require('sw:hashes');

const PKCS1 = new Map(
  [
    ['sha1', library.PKCS1_SHA1],
    ['sha224', library.PKCS1_SHA224],
    ['sha256', library.PKCS1_SHA256],
    ['sha384', library.PKCS1_SHA384],
    ['sha512', library.PKCS1_SHA512],
    ['sha512-224', library.PKCS1_SHA512_224],
    ['sha512-256', library.PKCS1_SHA512_256],
    ['sha3-224', library.PKCS1_SHA3_224],
    ['sha3-256', library.PKCS1_SHA3_256],
    ['sha3-384', library.PKCS1_SHA3_384],
    ['sha3-512', library.PKCS1_SHA3_512],
  ].map(([name, scheme]) => [findHash(name), scheme]),
);

/** RSASSA-PKCS1-v1_5 with this hash, or undefined. */
const pkcs1 = (hashName) => PKCS1.get(findHash(hashName));

function pss(hashName, saltLength) {
  const hash = findHash(hashName);
  return library.PSS(hash, library.mgf1(hash), saltLength);
}

/** The longest salt that fits between the hash and the key's size. */
function maxSalt(numbers, hashName) {
  const size = Math.ceil((bitsOf(numbers.n) - 1) / 8);
  return size - findHash(hashName).outputLen - 2;
}

/** PSS with any length of salt: the usual ones are tried first. */
function verifyAnySalt(numbers, hashName, data, signature) {
  const most = maxSalt(numbers, hashName);
  const usual = [findHash(hashName).outputLen, most, 20, 0];
  const lengths = new Set(usual.filter((length) => length <= most));
  for (let length = 0; length < most; length += 1) lengths.add(length);
  return [...lengths].some((length) =>
    pss(hashName, length).verify(numbers, data, signature),
  );
}

function oaep(hashName, label, maskName = hashName) {
  const hash = findHash(hashName);
  return library.OAEP(hash, library.mgf1(findHash(maskName)), label);
}

const MIN_BITS = 512;
const MAX_BITS = 16_384;

// Small moduli and exponents, which FIPS 186-5 and hence the library forbid.
function smallPrimes(bits, e) {
  const half = Math.ceil(bits / 2);
  const prime = (size) => {
    const top = 3n << BigInt(size - 2);
    for (;;) {
      const candidate = randomBits(size) | top | 1n;
      const fits = gcd(candidate - 1n, e) === 1n;
      if (fits && isProbablePrimeRSA(candidate)) return candidate;
    }
  };
  const p = prime(half);
  for (;;) {
    const q = prime(bits - half);
    if (p !== q) return { p, q };
  }
}

/**
 * @param {number} bits of the modulus
 * @param {bigint} e odd, more than 2
 */
function generate(bits, e) {
  if (!(Number.isInteger(bits) && bits >= MIN_BITS && bits <= MAX_BITS)) {
    throw new RangeError(`RSA keys have ${MIN_BITS} to ${MAX_BITS} bits`);
  }
  if (e < 3n || e % 2n === 0n || e >= 1n << 64n) {
    throw new RangeError('RSA exponents are odd, from 3 on');
  }
  const isPlain = bits >= 2048 && bits % 8 === 0 && e > 65_536n;
  const { p, q } = isPlain ? library.IFCPrimes(bits, e) : smallPrimes(bits, e);
  const d = invert(e, (p - 1n) * (q - 1n));
  const n = p * q;
  return {
    n,
    e,
    d,
    p,
    q,
    dp: d % (p - 1n),
    dq: d % (q - 1n),
    qi: invert(q, p),
  };
}

module.exports = {
  generate,
  maxSalt,
  oaep,
  pkcs1,
  pkcs1Encryption: library.PKCS1_KEM,
  pss,
  verifyAnySalt,
};
