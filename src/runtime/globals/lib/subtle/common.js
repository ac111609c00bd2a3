'use strict';

const { types } = require('sw:inspect');

const HASH_NAMES = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];

function domException(message, name) {
  const { DOMException } = require('sw:events');
  return new DOMException(message, name);
}

const notSupported = (message) => domException(message, 'NotSupportedError');
const dataError = (message) => domException(message, 'DataError');
const operationError = (message) => domException(message, 'OperationError');

/** A copy of the bytes, which are taken at the time of the call. */
function bytesOf(data, name) {
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(
      data.buffer,
      data.byteOffset,
      data.byteLength,
    ).slice();
  }
  if (types.isArrayBuffer(data)) return new Uint8Array(data).slice();
  throw new TypeError(`${name}: not an ArrayBuffer or a view`);
}

/** `work()`, with everything that a library throws as an OperationError. */
function attempt(message, work) {
  try {
    return work();
  } catch {
    throw operationError(message);
  }
}

/** @returns {string} one of HASH_NAMES */
function hashName(hash) {
  const wanted = typeof hash === 'object' && hash !== null ? hash.name : hash;
  const name = `${wanted}`.toUpperCase();
  if (HASH_NAMES.includes(name)) return name;
  throw notSupported(`Unrecognized hash: ${wanted}`);
}

const findHash = (name) => require('sw:hashes').findHash(name);

const toBase64Url = (bytes) =>
  require('node:buffer').Buffer.from(bytes).toString('base64url');

function fromBase64Url(text, name) {
  if (typeof text === 'string' && /^[\w-]*$/.test(text)) {
    const { Buffer } = require('node:buffer');
    return Uint8Array.from(Buffer.from(text, 'base64url'));
  }
  throw dataError(`JWK: "${name}" is not base64url`);
}

/** Checks what a JWK says about itself. */
function checkJwk(jwk, kty, extractable, usages) {
  if (typeof jwk !== 'object' || jwk === null) {
    throw new TypeError('importKey: a JWK is an object');
  }
  if (jwk.kty !== kty) throw dataError('JWK: "kty" does not fit');
  if (jwk.ext === false && extractable) {
    throw dataError('JWK: "ext" says that it is not extractable');
  }
  if (jwk.key_ops?.length && usages.some((use) => !jwk.key_ops.includes(use))) {
    throw dataError('JWK: "key_ops" does not allow these usages');
  }
}

module.exports = {
  attempt,
  bytesOf,
  checkJwk,
  dataError,
  domException,
  findHash,
  fromBase64Url,
  hashName,
  notSupported,
  operationError,
  toBase64Url,
};
