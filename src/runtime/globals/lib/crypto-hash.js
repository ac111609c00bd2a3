'use strict';

const { fromBytes, toBytes } = require('./crypto-bytes.js');
const { secretOf } = require('./key-object.js');
const { LazyTransform } = require('./lazy-transform.js');
const { invalidArgument, nodeError } = require('./node-error.js');

const { findHash, hmac } = require('sw:hashes');

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

class HashStream extends LazyTransform {
  _transform(chunk, encoding, callback) {
    this.update(chunk, encoding);
    callback();
  }

  _flush(callback) {
    this.push(this.digest());
    callback();
  }
}

class Hash extends HashStream {
  #state;
  #done = false;

  constructor(state) {
    super();
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

class Hmac extends HashStream {
  #state;
  #done = false;

  constructor(state) {
    super();
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

function createHash(algorithm, options = undefined) {
  const hash = needHash(algorithm);
  const length = options?.outputLength;
  const state =
    length === undefined ? hash.create() : hash.create({ dkLen: length });
  return new Hash(state);
}

function createHmac(algorithm, key) {
  const bytes = secretOf(key) ?? toBytes(key, 'utf8', 'key');
  return new Hmac(hmac.create(needHash(algorithm), bytes));
}

function hash(algorithm, data, encoding = 'hex') {
  return createHash(algorithm).update(data).digest(encoding);
}

module.exports = {
  Hash,
  Hmac,
  createHash,
  createHmac,
  hash,
  needHash,
};
