'use strict';

// Node's crypto over OpenSSL's natives (src/isolate/libraries).

const { KeyObject } = require('sw:keys');

const { openssl } = require('../lib/crypto/natives.js');
const cipher = require('../lib/crypto/cipher.js');
const {
  cryptoError,
  needBoolean,
  needNumber,
  needString,
} = require('../lib/crypto/errors.js');
const derive = require('../lib/crypto/derive.js');
const hashing = require('../lib/crypto/hash.js');
const keys = require('../lib/crypto/key-input.js');
const random = require('../lib/crypto/random.js');
const { since, sinceLate24 } = require('../lib/versions.js');

const { createPrivateKey, createPublicKey, createSecretKey } = keys;
const { Hash, Hmac, createHash, createHmac, getHashes, hash } = hashing;

const getFips = () => (openssl.isFips() ? 1 : 0);

// It is the process's, not the worker's.
function setFips() {
  throw cryptoError(
    'FIPS_FORCED',
    'Cannot set FIPS mode, it is of the whole process.',
  );
}

function setEngine(id, flags) {
  needString(id, 'id');
  if (flags) needNumber(flags, 'flags');
  throw cryptoError(
    'CUSTOM_ENGINE_NOT_SUPPORTED',
    'Custom engines not supported by this OpenSSL',
  );
}

function secureHeapUsed() {
  const used = openssl.secureHeapUsed();
  if (used === undefined) {
    return since(24)
      ? { total: 0, used: 0, utilization: Number.NaN, min: 2 }
      : { total: 0, used: 0, utilization: 0, min: 0 };
  }
  return { total: used, used, utilization: 1, min: 0 };
}

const web = () => require('sw:crypto').crypto;

const exported = {
  ...cipher,
  Hash,
  Hmac,
  KeyObject,
  checkPrime: random.checkPrime,
  checkPrimeSync: random.checkPrimeSync,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generatePrime: random.generatePrime,
  generatePrimeSync: random.generatePrimeSync,
  getHashes,
  getFips,
  hash,
  hkdf: derive.hkdf,
  hkdfSync: derive.hkdfSync,
  pbkdf2: derive.pbkdf2,
  pbkdf2Sync: derive.pbkdf2Sync,
  randomBytes: random.randomBytes,
  randomFill: random.randomFill,
  randomFillSync: random.randomFillSync,
  randomInt: random.randomInt,
  randomUUID: random.randomUUID,
  scrypt: derive.scrypt,
  scryptSync: derive.scryptSync,
  secureHeapUsed,
  setEngine,
  setFips,
  timingSafeEqual: derive.timingSafeEqual,
  getRandomValues: (array) => web().getRandomValues(array),
};
delete exported.cryptoError;

if (since(24, 7)) {
  exported.argon2 = derive.argon2;
  exported.argon2Sync = derive.argon2Sync;
}

if (since(24, 16)) exported.randomUUIDv7 = random.randomUUIDv7;

const hasMacs = sinceLate24();

// Parts that few use are read when one of their names is.
const LATER = {
  mac: () => require('../lib/crypto/mac.js'),
  sign: () => require('../lib/crypto/sign.js'),
  keygen: () => require('../lib/crypto/keygen.js'),
  dh: () => require('../lib/crypto/dh.js'),
  x509: () => require('../lib/crypto/x509.js'),
  web: () => ({ webcrypto: web(), subtle: web().subtle }),
  constants: () => ({ constants: require('../lib/crypto/constants.js') }),
};
const NAMES = {
  mac: hasMacs ? ['createMac', 'getMacs'] : [],
  sign: [
    'Sign',
    'Verify',
    'createSign',
    'createVerify',
    'diffieHellman',
    'sign',
    'verify',
    ...(since(24, 7) ? ['decapsulate', 'encapsulate'] : []),
  ],
  keygen: [
    'generateKey',
    'generateKeyPair',
    'generateKeyPairSync',
    'generateKeySync',
  ],
  dh: [
    'DiffieHellman',
    'DiffieHellmanGroup',
    'ECDH',
    'createDiffieHellman',
    'createDiffieHellmanGroup',
    'createECDH',
    'getCurves',
    'getDiffieHellman',
  ],
  x509: ['Certificate', 'X509Certificate'],
  web: ['subtle', 'webcrypto'],
  constants: ['constants'],
};

function defineLater(part, name) {
  const read = () =>
    LATER[part]()[
      name === 'getDiffieHellman' ? 'createDiffieHellmanGroup' : name
    ];
  const define = (value) =>
    Object.defineProperty(exported, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  Object.defineProperty(exported, name, {
    get() {
      const value = read();
      define(value);
      return value;
    },
    set: define,
    enumerable: true,
    configurable: true,
  });
}
for (const [part, names] of Object.entries(NAMES)) {
  for (const name of names) defineLater(part, name);
}

// Node hides those that it means to remove.
function hide(name, value) {
  Object.defineProperty(exported, name, {
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}
for (const name of ['prng', 'pseudoRandomBytes', 'rng']) {
  hide(name, random.randomBytes);
}
Object.defineProperty(exported, 'fips', {
  get: getFips,
  set(value) {
    needBoolean(value, 'fips');
    if (value !== Boolean(getFips())) setFips();
  },
  enumerable: false,
  configurable: true,
});

module.exports = exported;
