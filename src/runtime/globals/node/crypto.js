'use strict';

const hashes = require('sw:hashes');
const web = require('sw:crypto');

const hashing = require('../lib/crypto-hash.js');
const { later, ...random } = require('../lib/crypto-random.js');
const { needFunction, nodeError } = require('../lib/node-error.js');
const { unsupported } = require('../lib/unsupported.js');

const { fromBytes, needHash, toBytes } = hashing;

/** `<name>(…, callback)` by `<name>Sync(…)`. */
function withCallback(sync) {
  return (...args) => {
    const callback = args.pop();
    needFunction(callback);
    const result = sync(...args);
    later(callback, null, result);
  };
}

function pbkdf2Sync(password, salt, iterations, keyLength, digest) {
  const bytes = hashes.pbkdf2(
    needHash(digest),
    toBytes(password, 'utf8', 'password'),
    toBytes(salt, 'utf8', 'salt'),
    { c: iterations, dkLen: keyLength },
  );
  return fromBytes(bytes);
}

function scryptSync(password, salt, keyLength, options = {}) {
  const {
    cost,
    N = cost ?? 16_384,
    blockSize,
    r = blockSize ?? 8,
    parallelization,
    p = parallelization ?? 1,
    maxmem = 32 * 1024 * 1024,
  } = options;
  const bytes = hashes.scrypt(
    toBytes(password, 'utf8', 'password'),
    toBytes(salt, 'utf8', 'salt'),
    { N, r, p, dkLen: keyLength, maxmem: maxmem + 1024 },
  );
  return fromBytes(bytes);
}

function hkdfSync(digest, key, salt, info, keyLength) {
  const bytes = hashes.hkdf(
    needHash(digest),
    toBytes(key),
    toBytes(salt),
    toBytes(info),
    keyLength,
  );
  return bytes.slice().buffer;
}

function timingSafeEqual(left, right) {
  const first = toBytes(left, undefined, 'buf1');
  const second = toBytes(right, undefined, 'buf2');
  if (first.length !== second.length) {
    throw nodeError(
      RangeError,
      'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
      'Input buffers must have the same byte length',
    );
  }
  let difference = 0;
  for (let at = 0; at < first.length; at += 1) {
    difference |= first[at] ^ second[at];
  }
  return difference === 0;
}

const missing = {};
for (const name of [
  'Certificate',
  'Cipheriv',
  'Decipheriv',
  'DiffieHellman',
  'ECDH',
  'Sign',
  'Verify',
  'X509Certificate',
  'checkPrime',
  'checkPrimeSync',
  'createCipheriv',
  'createDecipheriv',
  'createDiffieHellman',
  'createECDH',
  'createPrivateKey',
  'createPublicKey',
  'createSign',
  'createVerify',
  'diffieHellman',
  'generateKey',
  'generateKeySync',
  'generatePrime',
  'generatePrimeSync',
  'getCiphers',
  'getCurves',
  'getDiffieHellman',
  'privateDecrypt',
  'privateEncrypt',
  'publicDecrypt',
  'publicEncrypt',
  'sign',
  'verify',
]) {
  missing[name] = unsupported('crypto', name);
}

const { Hash, Hmac, KeyObject, createHash, createHmac, createSecretKey, hash } =
  hashing;

module.exports = {
  ...missing,
  ...random,
  Hash,
  Hmac,
  KeyObject,
  constants: {},
  createHash,
  createHmac,
  createSecretKey,
  // Packages with a key generator of their own look whether there is one here.
  generateKeyPair: undefined,
  generateKeyPairSync: undefined,
  getHashes: () => hashes.hashNames(),
  getRandomValues: (array) => web.crypto.getRandomValues(array),
  hash,
  hkdf: withCallback(hkdfSync),
  hkdfSync,
  pbkdf2: withCallback(pbkdf2Sync),
  pbkdf2Sync,
  pseudoRandomBytes: random.randomBytes,
  randomUUID: () => web.crypto.randomUUID(),
  scrypt: withCallback(scryptSync),
  scryptSync,
  subtle: web.crypto.subtle,
  timingSafeEqual,
  webcrypto: web.crypto,
};
