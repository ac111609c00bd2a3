'use strict';

// The functions of node:crypto but for those of hashes. The module that does
// the work of one is loaded when it is called: `import` reads all names, and a
// program calls few. Names and numbers of parameters are Node's.

const cipher = () => require('./cipher.js');
const derive = () => require('./derive.js');
const dh = () => require('./dh.js');
const keygen = () => require('./keygen.js');
const keys = () => require('./key-input.js');
const mac = () => require('./mac.js');
const random = () => require('./random.js');
const signing = () => require('./sign.js');

function argon2(algorithm, parameters, callback) {
  return derive().argon2(algorithm, parameters, callback);
}

function checkPrime(candidate, options = undefined, callback = undefined) {
  return random().checkPrime(candidate, options, callback);
}

function createSecretKey(key, encoding) {
  return keys().createSecretKey(key, encoding);
}

function decapsulate(key, ciphertext, callback) {
  return signing().decapsulate(key, ciphertext, callback);
}

function diffieHellman(options, callback = undefined) {
  return signing().diffieHellman(options, callback);
}

function encapsulate(key, callback) {
  return signing().encapsulate(key, callback);
}

function generateKey(type, options, callback) {
  return keygen().generateKey(type, options, callback);
}

function generatePrime(size, options, callback) {
  return random().generatePrime(size, options, callback);
}

function generatePrimeSync(size, options = undefined) {
  return random().generatePrimeSync(size, options);
}

function getCipherInfo(nameOrNid, options) {
  return cipher().getCipherInfo(nameOrNid, options);
}

function pbkdf2(password, salt, iterations, keylen, digest, callback) {
  return derive().pbkdf2(password, salt, iterations, keylen, digest, callback);
}

function randomBytes(size, callback) {
  return random().randomBytes(size, callback);
}

function randomFill(buffer, offset, size, callback) {
  return random().randomFill(buffer, offset, size, callback);
}

function randomFillSync(buffer, from = 0, count = undefined) {
  return random().randomFillSync(buffer, from, count);
}

function randomInt(first, second, third) {
  return random().randomInt(first, second, third);
}

function randomUUID(options) {
  return random().randomUUID(options);
}

function randomUUIDv7(options) {
  return random().randomUUIDv7(options);
}

function scrypt(password, salt, keylen, options, callback = undefined) {
  return derive().scrypt(password, salt, keylen, options, callback);
}

function signOneShot(algorithm, data, key, callback) {
  return signing().sign(algorithm, data, key, callback);
}

function verifyOneShot(algorithm, data, key, signature, callback) {
  return signing().verify(algorithm, data, key, signature, callback);
}

function generateKeyPair(type, options, callback) {
  return keygen().generateKeyPair(type, options, callback);
}
Object.defineProperty(
  generateKeyPair,
  Symbol.for('nodejs.util.promisify.custom'),
  { value: (type, options) => keygen().promisedKeyPair(type, options) },
);

// Those that RSA works with have no name in Node.
const rsa = (name) => (options, buffer) => cipher()[name](options, buffer);

module.exports = {
  argon2,
  argon2Sync: (algorithm, parameters) =>
    derive().argon2Sync(algorithm, parameters),
  checkPrime,
  checkPrimeSync: (candidate, options = undefined) =>
    random().checkPrimeSync(candidate, options),
  createCipheriv: (name, key, iv, options) =>
    cipher().createCipheriv(name, key, iv, options),
  createDecipheriv: (name, key, iv, options) =>
    cipher().createDecipheriv(name, key, iv, options),
  createDiffieHellman: (...args) => dh().createDiffieHellman(...args),
  createDiffieHellmanGroup: (name) => dh().createDiffieHellmanGroup(name),
  createECDH: (curve) => dh().createECDH(curve),
  createMac: (algorithm, key, options) =>
    mac().createMac(algorithm, key, options),
  createPrivateKey: (key) => keys().createPrivateKey(key),
  createPublicKey: (key) => keys().createPublicKey(key),
  createSecretKey,
  createSign: (algorithm, options) => signing().createSign(algorithm, options),
  createVerify: (algorithm, options) =>
    signing().createVerify(algorithm, options),
  decapsulate,
  diffieHellman,
  encapsulate,
  generateKey,
  generateKeyPair,
  generateKeyPairSync: (type, options) =>
    keygen().generateKeyPairSync(type, options),
  generateKeySync: (type, options) => keygen().generateKeySync(type, options),
  generatePrime,
  generatePrimeSync,
  getCipherInfo,
  getCiphers: () => cipher().getCiphers(),
  getCurves: () => dh().getCurves(),
  getMacs: () => mac().getMacs(),
  hkdf: (hash, key, salt, info, length, callback) =>
    derive().hkdf(hash, key, salt, info, length, callback),
  hkdfSync: (hash, key, salt, info, length) =>
    derive().hkdfSync(hash, key, salt, info, length),
  pbkdf2,
  pbkdf2Sync: (password, salt, iterations, keylen, digest) =>
    derive().pbkdf2Sync(password, salt, iterations, keylen, digest),
  privateDecrypt: rsa('privateDecrypt'),
  privateEncrypt: rsa('privateEncrypt'),
  publicDecrypt: rsa('publicDecrypt'),
  publicEncrypt: rsa('publicEncrypt'),
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  randomUUID,
  randomUUIDv7,
  scrypt,
  scryptSync: (password, salt, keylen, options = undefined) =>
    derive().scryptSync(password, salt, keylen, options),
  sign: signOneShot,
  verify: verifyOneShot,
};
