'use strict';

// Node's hash names over one library, so that each algorithm is there once.

const blake2 = require('@noble/hashes/blake2.js');
const { hkdf } = require('@noble/hashes/hkdf.js');
const { hmac } = require('@noble/hashes/hmac.js');
const legacy = require('@noble/hashes/legacy.js');
const { pbkdf2, pbkdf2Async } = require('@noble/hashes/pbkdf2.js');
const { scrypt, scryptAsync } = require('@noble/hashes/scrypt.js');
const sha2 = require('@noble/hashes/sha2.js');
const sha3 = require('@noble/hashes/sha3.js');

const HASHES = {
  blake2b512: blake2.blake2b,
  blake2s256: blake2.blake2s,
  md5: legacy.md5,
  ripemd160: legacy.ripemd160,
  sha1: legacy.sha1,
  sha224: sha2.sha224,
  sha256: sha2.sha256,
  'sha3-224': sha3.sha3_224,
  'sha3-256': sha3.sha3_256,
  'sha3-384': sha3.sha3_384,
  'sha3-512': sha3.sha3_512,
  sha384: sha2.sha384,
  sha512: sha2.sha512,
  'sha512-224': sha2.sha512_224,
  'sha512-256': sha2.sha512_256,
  shake128: sha3.shake128,
  shake256: sha3.shake256,
};
const ALIASES = { rmd160: 'ripemd160', ripemd: 'ripemd160' };

/** The library's hash for a name in any of OpenSSL's spellings, or undefined. */
function findHash(name) {
  const low = `${name}`.toLowerCase().replace(/^rsa-/, '');
  const plain = low.replace(/^sha-(?=\d)/, 'sha').replace('/', '-');
  const known = ALIASES[plain] ?? plain;
  return Object.hasOwn(HASHES, known) ? HASHES[known] : undefined;
}

module.exports = {
  findHash,
  hashNames: () => Object.keys(HASHES),
  hkdf,
  hmac,
  pbkdf2,
  pbkdf2Async,
  scrypt,
  scryptAsync,
};
