'use strict';

/* global host */
// Node's crypto over OpenSSL's natives (src/isolate/libraries).

const { openssl } = require('../lib/crypto/natives.js');
const { timingSafeEqual } = require('../lib/crypto/compare.js');
const {
  cryptoError,
  needBoolean,
  needNumber,
  needString,
} = require('../lib/crypto/errors.js');
const functions = require('../lib/crypto/functions.js');
const hashing = require('../lib/crypto/hash.js');
const { since, sinceLate24 } = require('../lib/versions.js');

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

const { Hash, Hmac, createHash, createHmac, getHashes, hash } = hashing;

// The class for those who make a hash of it themselves.
function deprecated(Class, code) {
  const { deprecate } = require('sw:library').moduleOf('internal/util');
  const said = `crypto.${Class.name} constructor is deprecated.`;
  return deprecate(Class, said, code);
}

// Classes and objects, each read when somebody reads it.
const LATER = {
  __proto__: null,
  Cipheriv: () => require('../lib/crypto/cipher.js'),
  Decipheriv: () => require('../lib/crypto/cipher.js'),
  ...(since(22) && {
    Hash: () => ({ Hash: deprecated(Hash, 'DEP0179') }),
    Hmac: () => ({ Hmac: deprecated(Hmac, 'DEP0181') }),
  }),
  KeyObject: () => require('sw:keys'),
  Sign: () => require('../lib/crypto/sign.js'),
  Verify: () => require('../lib/crypto/sign.js'),
  DiffieHellman: () => require('../lib/crypto/dh.js'),
  DiffieHellmanGroup: () => require('../lib/crypto/dh.js'),
  ECDH: () => require('../lib/crypto/dh.js'),
  Certificate: () => require('../lib/crypto/x509.js'),
  X509Certificate: () => require('../lib/crypto/x509.js'),
  subtle: web,
  webcrypto: () => ({ webcrypto: web() }),
  constants: () => ({ constants: require('../lib/crypto/constants.js') }),
};

const isLate = sinceLate24();

const exported = {
  Cipheriv: undefined,
  Decipheriv: undefined,
  createCipheriv: functions.createCipheriv,
  createDecipheriv: functions.createDecipheriv,
  getCipherInfo: functions.getCipherInfo,
  getCiphers: functions.getCiphers,
  privateDecrypt: functions.privateDecrypt,
  privateEncrypt: functions.privateEncrypt,
  publicDecrypt: functions.publicDecrypt,
  publicEncrypt: functions.publicEncrypt,
  Hash,
  Hmac,
  KeyObject: undefined,
  checkPrime: functions.checkPrime,
  checkPrimeSync: functions.checkPrimeSync,
  createHash,
  createHmac,
  createPrivateKey: functions.createPrivateKey,
  createPublicKey: functions.createPublicKey,
  createSecretKey: functions.createSecretKey,
  generatePrime: functions.generatePrime,
  generatePrimeSync: functions.generatePrimeSync,
  getHashes,
  getFips,
  hash,
  hkdf: functions.hkdf,
  hkdfSync: functions.hkdfSync,
  pbkdf2: functions.pbkdf2,
  pbkdf2Sync: functions.pbkdf2Sync,
  randomBytes: functions.randomBytes,
  randomFill: functions.randomFill,
  randomFillSync: functions.randomFillSync,
  randomInt: functions.randomInt,
  randomUUID: functions.randomUUID,
  scrypt: functions.scrypt,
  scryptSync: functions.scryptSync,
  secureHeapUsed,
  setEngine,
  setFips,
  timingSafeEqual,
  getRandomValues: (array) => web().getRandomValues(array),
  ...(since(24, 7) && {
    argon2: functions.argon2,
    argon2Sync: functions.argon2Sync,
  }),
  ...(since(24, 16) && { randomUUIDv7: functions.randomUUIDv7 }),
  ...(isLate && { createMac: functions.createMac, getMacs: functions.getMacs }),
  Sign: undefined,
  Verify: undefined,
  createSign: functions.createSign,
  createVerify: functions.createVerify,
  diffieHellman: functions.diffieHellman,
  sign: functions.sign,
  verify: functions.verify,
  ...(since(24, 7) && {
    decapsulate: functions.decapsulate,
    encapsulate: functions.encapsulate,
  }),
  generateKey: functions.generateKey,
  generateKeyPair: functions.generateKeyPair,
  generateKeyPairSync: functions.generateKeyPairSync,
  generateKeySync: functions.generateKeySync,
  DiffieHellman: undefined,
  DiffieHellmanGroup: undefined,
  ECDH: undefined,
  createDiffieHellman: functions.createDiffieHellman,
  createDiffieHellmanGroup: functions.createDiffieHellmanGroup,
  createECDH: functions.createECDH,
  getCurves: functions.getCurves,
  getDiffieHellman: functions.createDiffieHellmanGroup,
  Certificate: undefined,
  X509Certificate: undefined,
  subtle: undefined,
  webcrypto: undefined,
  constants: undefined,
};
host.defineLazy(
  exported,
  Object.keys(LATER),
  true,
  (name) => LATER[name]()[name],
);

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
  hide(name, functions.randomBytes);
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
