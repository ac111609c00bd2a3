'use strict';

const source = require('../buffer-source.js');
const { openssl } = require('../crypto/natives.js');
const { since, sinceLate24 } = require('../versions.js');

const HASH_NAMES = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];
if (since(24, 7)) HASH_NAMES.push('SHA3-256', 'SHA3-384', 'SHA3-512');

function domException(message, name) {
  const { DOMException } = require('sw:events');
  return new DOMException(message, name);
}

const notSupported = (message) => domException(message, 'NotSupportedError');
const dataError = (message) => domException(message, 'DataError');
const operationError = (message) => domException(message, 'OperationError');

/** A copy of the bytes, which are taken at the time of the call. */
function bytesOf(data, name) {
  return needBuffer(data, name).slice();
}

function needBuffer(data, name) {
  const bytes = source.bytesOf(data);
  if (bytes !== undefined) return bytes;
  throw new TypeError(`${name}: not an ArrayBuffer or a view`);
}

/** `work()`, with everything that a library throws as an OperationError. */
function attempt(message, work) {
  try {
    return work();
  } catch (cause) {
    throw domException(message, { name: 'OperationError', cause });
  }
}

/** @returns {string} one of HASH_NAMES */
function hashName(hash) {
  const isObject = typeof hash === 'object' && hash !== null;
  const wanted = isObject ? hash.name : hash;
  if (isObject && wanted === undefined) {
    throw new TypeError('The hash has no name');
  }
  const name = `${wanted}`.toUpperCase();
  if (HASH_NAMES.includes(name)) return name;
  throw notSupported(`Unrecognized hash: ${wanted}`);
}

/** OpenSSL's number of a hash that Web Crypto names so. */
const hashId = (name) => openssl.digestId(name.replace(/^SHA-/, 'SHA'));

const toBase64Url = (bytes) => {
  const { Buffer } = require('node:buffer');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    'base64url',
  );
};

const INVALID = 'Invalid keyData';

function fromBase64Url(text) {
  if (typeof text === 'string' && /^[\w-]*$/.test(text)) {
    const { Buffer } = require('node:buffer');
    return Uint8Array.from(Buffer.from(text, 'base64url'));
  }
  throw dataError(INVALID);
}

const SIGNS = ['sign', 'verify'];

function checkOperations(list, usages) {
  if (!Array.isArray(list)) throw dataError(INVALID);
  if (new Set(list).size !== list.length) {
    throw dataError('Duplicate key operation');
  }
  if (usages.some((usage) => !list.includes(usage))) {
    throw dataError('Key operations and usage mismatch');
  }
}

const NEEDED = {
  RSA: ['n', 'e'],
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
  oct: ['k'],
  AKP: ['alg', 'pub'],
};
const RSA_PRIVATE = ['p', 'q', 'dp', 'dq', 'qi'];

/** Whether it has the texts that its type needs. */
function hasMembers(jwk) {
  const { kty } = jwk;
  const secret = kty === 'AKP' ? 'priv' : 'd';
  const isPrivate = kty !== 'oct' && jwk[secret] !== undefined;
  const names = [
    ...NEEDED[kty],
    ...(isPrivate ? [secret] : []),
    ...(isPrivate && kty === 'RSA' ? RSA_PRIVATE : []),
  ];
  return names.every((name) => typeof jwk[name] === 'string');
}

/**
 * Checks what a JWK says about itself, with Node's texts and in its order.
 *
 * @param {() => void} next what is looked at after its type
 */
function checkJwk(jwk, kty, extractable, usages, next = () => {}) {
  if (typeof jwk.kty !== 'string') throw dataError(INVALID);
  if (jwk.kty !== kty) throw dataError('Invalid JWK "kty" Parameter');
  if (sinceLate24() && !hasMembers(jwk)) throw dataError(INVALID);
  next();
  const use = SIGNS.includes(usages[0]) ? 'sig' : 'enc';
  if (usages.length > 0 && jwk.use !== undefined && jwk.use !== use) {
    throw dataError('Invalid JWK "use" Parameter');
  }
  if (jwk.ext === false && extractable) {
    throw dataError('JWK "ext" Parameter and extractable mismatch');
  }
  if (jwk.key_ops !== undefined) checkOperations(jwk.key_ops, usages);
}

module.exports = {
  attempt,
  bytesOf,
  checkJwk,
  dataError,
  domException,
  fromBase64Url,
  hashId,
  hashName,
  notSupported,
  operationError,
  toBase64Url,
};
