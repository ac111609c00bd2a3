'use strict';

// Node's KeyObject: bytes of a secret, or material of the bundle `asymmetric`.

const { fromBytes, toBytes } = require('./crypto-bytes.js');
const { invalidArgument, nodeError } = require('./node-error.js');

const { Buffer } = require('node:buffer');

const KEY = Symbol('construct');
const EXPECTED =
  'of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, KeyObject, or CryptoKey';

const asymmetric = () => require('sw:asymmetric');

class KeyObject {
  #type;
  #inner;

  constructor(key, type, inner) {
    if (key !== KEY) throw new TypeError('Illegal constructor');
    this.#type = type;
    this.#inner = inner;
  }

  /** The KeyObject with what a CryptoKey has in it. */
  static from(key) {
    const { keyObjectParts } = require('sw:subtle').shared;
    if (!require('sw:subtle').isKey(key)) {
      throw invalidArgument('key', 'an instance of CryptoKey', key);
    }
    const { type, bytes, jwk } = keyObjectParts(key);
    if (type === 'secret') return new KeyObject(KEY, type, bytes);
    return makeKey(asymmetric().read(jwk, { format: 'jwk' }, true));
  }

  get type() {
    return this.#type;
  }

  get symmetricKeySize() {
    return this.#type === 'secret' ? this.#inner.length : undefined;
  }

  get asymmetricKeyType() {
    return this.#type === 'secret' ? undefined : this.#inner.kind;
  }

  get asymmetricKeyDetails() {
    return this.#type === 'secret'
      ? undefined
      : asymmetric().details(this.#inner);
  }

  export(options = undefined) {
    if (this.#type !== 'secret') {
      const written = asymmetric().write(this.#inner, options);
      return written instanceof Uint8Array ? fromBytes(written) : written;
    }
    if (options?.format === 'jwk') {
      return { kty: 'oct', k: fromBytes(this.#inner, 'base64url') };
    }
    return Buffer.from(this.#inner);
  }

  equals(other) {
    if (!(other instanceof KeyObject) || other.#type !== this.#type) {
      return false;
    }
    const form = { format: 'jwk' };
    const [own, its] = [this.export(form), other.export(form)];
    return JSON.stringify(own) === JSON.stringify(its);
  }

  static innerOf(value) {
    return typeof value === 'object' && value !== null && #inner in value
      ? value.#inner
      : undefined;
  }
}
const { innerOf } = KeyObject;
delete KeyObject.innerOf;

/** @param {object} material of the bundle `asymmetric` */
function makeKey(material) {
  const type = asymmetric().isPrivate(material) ? 'private' : 'public';
  return new KeyObject(KEY, type, material);
}

/** The bytes of a secret KeyObject; undefined for what is no KeyObject. */
function secretOf(key) {
  const inner = innerOf(key);
  if (inner === undefined) return undefined;
  if (key.type === 'secret') return inner;
  throw wrongType(key, 'secret');
}

const wrongType = (key, wanted) =>
  nodeError(
    TypeError,
    'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE',
    `Invalid key object type ${key.type}, expected ${wanted}.`,
  );

function createSecretKey(key, encoding = undefined) {
  return new KeyObject(KEY, 'secret', toBytes(key, encoding, 'key').slice());
}

const isText = (key) => typeof key === 'string' || ArrayBuffer.isView(key);

/** [material, options] of anything that node:crypto takes as a key. */
function readKey(given, isPublic) {
  const bare = isText(given) || innerOf(given) !== undefined;
  const options = bare ? { key: given } : { ...given };
  const { isKey } = require('sw:subtle');
  const key = isKey(given) ? KeyObject.from(given) : options.key;
  const inner = innerOf(isKey(key) ? KeyObject.from(key) : key);
  if (inner !== undefined) return [inner, options];
  const types = require('node:util/types');
  const isBytes = ArrayBuffer.isView(key) || types.isAnyArrayBuffer(key);
  const data = isBytes ? Uint8Array.from(toBytes(key)) : key;
  const isJwk =
    options.format === 'jwk' && typeof data === 'object' && data !== null;
  if (!isJwk && !isText(data)) throw invalidArgument('key', EXPECTED, key);
  return [asymmetric().read(data, options, isPublic), options];
}

function needAsymmetric(material, wanted) {
  const fits =
    !(material instanceof Uint8Array) &&
    (wanted !== 'private' || asymmetric().isPrivate(material));
  if (fits) return;
  const type = material instanceof Uint8Array ? 'secret' : 'public';
  throw wrongType({ type }, wanted);
}

/** [material, options] for signing and decrypting. */
function privateKey(given) {
  const [material, options] = readKey(given, false);
  needAsymmetric(material, 'private');
  return [material, options];
}

/** [material, options] for verifying and encrypting. */
function publicKey(given) {
  const [material, options] = readKey(given, true);
  needAsymmetric(material, 'public');
  return [material, options];
}

function createPrivateKey(key) {
  if (innerOf(key) !== undefined) throw invalidArgument('key', EXPECTED, key);
  return makeKey(privateKey(key)[0]);
}

const createPublicKey = (key) => {
  const [material] = publicKey(key);
  return makeKey(asymmetric().publicOf(material));
};

module.exports = {
  KeyObject,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  makeKey,
  privateKey,
  publicKey,
  secretOf,
};
