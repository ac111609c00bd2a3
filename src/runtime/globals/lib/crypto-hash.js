'use strict';

const { invalidArgument, nodeError } = require('./node-error.js');

const { Buffer } = require('node:buffer');
const { findHash, hmac } = require('sw:hashes');

/** Any data that node:crypto takes, as bytes of this isolate. */
function toBytes(data, encoding = undefined, name = 'data') {
  if (typeof data === 'string') return Buffer.from(data, encoding);
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  const { types } = require('sw:inspect');
  if (types.isAnyArrayBuffer(data)) return new Uint8Array(data);
  throw invalidArgument(
    name,
    'of type string or an instance of Buffer, TypedArray, or DataView',
    data,
  );
}

/** Bytes as a Buffer, or as text where an encoding is named. */
function fromBytes(bytes, encoding = undefined) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
}

function needHash(algorithm) {
  if (typeof algorithm !== 'string') {
    throw invalidArgument('algorithm', 'of type string', algorithm);
  }
  const hash = findHash(algorithm);
  if (hash) return hash;
  throw nodeError(
    Error,
    'ERR_OSSL_EVP_UNSUPPORTED',
    `Digest method not supported: ${algorithm}`,
  );
}

function finalized() {
  return nodeError(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
}

class Hash {
  #state;
  #done = false;

  constructor(state) {
    this.#state = state;
  }

  update(data, encoding = undefined) {
    if (this.#done) throw finalized();
    this.#state.update(toBytes(data, encoding));
    return this;
  }

  digest(encoding = undefined) {
    if (this.#done) throw finalized();
    this.#done = true;
    return fromBytes(this.#state.digest(), encoding);
  }

  copy() {
    if (this.#done) throw finalized();
    return new Hash(this.#state.clone());
  }
}

class Hmac {
  #state;
  #done = false;

  constructor(state) {
    this.#state = state;
  }

  update(data, encoding = undefined) {
    if (this.#done) throw finalized();
    this.#state.update(toBytes(data, encoding));
    return this;
  }

  // Unlike a hash, a second digest is empty and no error.
  digest(encoding = undefined) {
    const bytes = this.#done ? new Uint8Array(0) : this.#state.digest();
    this.#done = true;
    return fromBytes(bytes, encoding);
  }
}

const KEY = Symbol('construct');

/** Node's KeyObject, of which there are only secret ones in here. */
class KeyObject {
  #bytes;

  constructor(key, bytes) {
    if (key !== KEY) throw new TypeError('Illegal constructor');
    this.#bytes = bytes;
  }

  get type() {
    return 'secret';
  }

  get symmetricKeySize() {
    return this.#bytes.length;
  }

  export(options = undefined) {
    if (options?.format === 'jwk') {
      return { kty: 'oct', k: fromBytes(this.#bytes, 'base64url') };
    }
    return Buffer.from(this.#bytes);
  }

  equals(other) {
    return other instanceof KeyObject && this.export().equals(other.export());
  }
}

function createSecretKey(key, encoding = undefined) {
  return new KeyObject(KEY, toBytes(key, encoding, 'key').slice());
}

function createHash(algorithm, options = undefined) {
  const hash = needHash(algorithm);
  const length = options?.outputLength;
  const state =
    length === undefined ? hash.create() : hash.create({ dkLen: length });
  return new Hash(state);
}

function createHmac(algorithm, key) {
  const bytes =
    key instanceof KeyObject ? key.export() : toBytes(key, 'utf8', 'key');
  return new Hmac(hmac.create(needHash(algorithm), bytes));
}

function hash(algorithm, data, encoding = 'hex') {
  return createHash(algorithm).update(data).digest(encoding);
}

module.exports = {
  Hash,
  Hmac,
  KeyObject,
  createHash,
  createHmac,
  createSecretKey,
  fromBytes,
  hash,
  needHash,
  toBytes,
};
