'use strict';

const hashes = require('sw:hashes');
const web = require('sw:crypto');

const { fromBytes, toBytes } = require('../lib/crypto-bytes.js');
const ciphers = require('../lib/crypto-cipher.js');
const hashing = require('../lib/crypto-hash.js');
const { later, ...random } = require('../lib/crypto-random.js');
const signing = require('../lib/crypto-sign.js');
const keys = require('../lib/key-object.js');
const { needFunction, nodeError } = require('../lib/node-error.js');
const { unsupported } = require('../lib/unsupported.js');

const { needHash } = hashing;

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
  'DiffieHellman',
  'ECDH',
  'X509Certificate',
  'checkPrime',
  'checkPrimeSync',
  'createDiffieHellman',
  'createECDH',
  'generateKey',
  'generateKeySync',
  'generatePrime',
  'generatePrimeSync',
  'getDiffieHellman',
  'privateEncrypt',
  'publicDecrypt',
]) {
  missing[name] = unsupported('crypto', name);
}

const { Hash, Hmac, createHash, createHmac, hash } = hashing;
const { KeyObject, createPrivateKey, createPublicKey, createSecretKey } = keys;

// OpenSSL's numbers, as Node shows them.
const constants = {
  RSA_PKCS1_PADDING: 1,
  RSA_NO_PADDING: 3,
  RSA_PKCS1_OAEP_PADDING: 4,
  RSA_PKCS1_PSS_PADDING: 6,
  RSA_PSS_SALTLEN_DIGEST: -1,
  RSA_PSS_SALTLEN_MAX_SIGN: -2,
  RSA_PSS_SALTLEN_AUTO: -2,
};

module.exports = {
  ...missing,
  ...ciphers,
  ...random,
  ...signing,
  Hash,
  Hmac,
  KeyObject,
  constants,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  getCurves: () => ['prime256v1', 'secp384r1', 'secp521r1'],
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
