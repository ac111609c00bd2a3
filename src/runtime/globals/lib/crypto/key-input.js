'use strict';

// Anything that crypto takes as a key.

const { copyOf, isTextOrBytes, toBytes } = require('./bytes.js');
const { cryptoError, invalidType, needObject } = require('./errors.js');
const {
  handleOf,
  isKeyObject,
  keyObjectIn,
  makePrivate,
  makePublic,
  makeSecret,
  secretBytes,
} = require('./keys.js');
const { Form, Format, openssl } = require('./natives.js');
const { since, sinceLate24 } = require('../versions.js');

// Most keys are bytes, so what reads other forms of them is loaded late.
const jwks = () => require('./jwk.js');
const rawKeys = () => require('./raw-keys.js');

const BYTES = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];
const TEXT_OR_BYTES = [...BYTES, 'string'];
const ALL = [...TEXT_OR_BYTES, 'KeyObject', 'CryptoKey'];
// Types of names in OpenSSL's stores of keys, which no isolate reads.
const STORED = since(24) ? ['URL'] : [];

const wrongType = (type, wanted) =>
  cryptoError(
    'INVALID_KEY_OBJECT_TYPE',
    `Invalid key object type ${type}, expected ${wanted}.`,
    TypeError,
  );

/** A KeyObject, or the one in a CryptoKey; undefined for anything else. */
const objectOf = (key) => (isKeyObject(key) ? key : keyObjectIn(key));

/** The bytes of a secret KeyObject. */
function needSecret(key) {
  const object = objectOf(key);
  if (object.type !== 'secret') throw wrongType(object.type, 'secret');
  return secretBytes(object);
}

/** A copy of the bytes of a secret, or what natives take for a text. */
function keyBytes(key, encoding = undefined) {
  if (objectOf(key) !== undefined) return needSecret(key);
  if (!isTextOrBytes(key)) throw invalidType('key', ALL, key);
  const bytes = toBytes(key, 'key', encoding);
  return typeof bytes === 'string' ? bytes : copyOf(bytes);
}

// The purposes of a key.
const Use = {
  ConsumePublic: 0,
  ConsumePrivate: 1,
  CreatePublic: 2,
  CreatePrivate: 3,
};

function handleFor(object, use) {
  if (use === Use.CreatePrivate) {
    throw invalidType('key', [...TEXT_OR_BYTES, ...STORED], object);
  }
  const { type } = object;
  if (type !== 'private') {
    if (use === Use.ConsumePrivate || use === Use.CreatePublic) {
      throw wrongType(type, 'private');
    }
    if (type !== 'public') throw wrongType(type, 'private or public');
  }
  return handleOf(object);
}

const wantsPrivate = (use) =>
  use === Use.ConsumePrivate || use === Use.CreatePrivate;

const parse = (data, isPrivate, { format, type, passphrase }) =>
  openssl.keyRead(
    data,
    isPrivate,
    Format[format],
    Form[type] ?? -1,
    passphrase,
  );

/**
 * Looks at an asymmetric key's options. OpenSSL reads its text later, because
 * Node looks at all other arguments before that.
 *
 * @returns {(takesPublic?: boolean) => object} gives the native; Node's RSA
 *   takes public keys where it wants private ones
 */
function prepared(key, use, name = 'key') {
  const types = [
    ...(use === Use.CreatePrivate ? TEXT_OR_BYTES : ALL),
    ...(wantsPrivate(use) ? STORED : []),
  ];
  const isPrivate = (takesPublic) => wantsPrivate(use) && !takesPublic;
  const object = objectOf(key);
  if (object !== undefined) return held(handleFor(object, use));
  if (isTextOrBytes(key)) {
    const pem = toBytes(key, 'key');
    return (takesPublic) =>
      parse(pem, isPrivate(takesPublic), { format: 'pem' });
  }
  if (key === null) {
    throw new TypeError(
      "Cannot destructure property 'key' of 'key' as it is null.",
    );
  }
  if (typeof key !== 'object') throw invalidType(name, types, key);
  const { key: data, encoding, format } = key;
  const inner = objectOf(data);
  if (inner !== undefined) return held(handleFor(inner, use));
  if (format === 'jwk') {
    needObject(data, `${name}.key`);
    if (!sinceLate24()) return held(jwks().importJwk(data, !wantsPrivate(use)));
    return () => jwks().importJwk(data, isOpenJwk(data, use));
  }
  if (rawKeys().isRaw(format)) {
    return held(rawKeys().readRaw(key, wantsPrivate(use), name));
  }
  if (!isTextOrBytes(data)) throw invalidType(`${name}.key`, types, data);
  const bytes = toBytes(data, 'key', encoding);
  const { readInput } = require('./key-encoding.js');
  const input = readInput(key, wantsPrivate(use) ? false : undefined, name);
  return (takesPublic) => parse(bytes, isPrivate(takesPublic), input);
}

// Newer Nodes leave it to OpenSSL to refuse a public key in a private one's
// place.
function isOpenJwk({ kty, d, priv }, use) {
  const isOpen = d === undefined && priv === undefined;
  const isKnown = ['RSA', 'EC', 'OKP', 'AKP'].includes(kty);
  if (use !== Use.CreatePrivate || !isOpen || !isKnown) {
    return isOpen || !wantsPrivate(use);
  }
  throw cryptoError(
    'INVALID_JWK',
    'JWK does not contain private key material',
    TypeError,
  );
}

const held = (handle) => () => handle;

const preparedPrivate = (key, name = 'key') =>
  prepared(key, Use.ConsumePrivate, name);
const preparedPublic = (key, name = 'key') =>
  prepared(key, Use.ConsumePublic, name);
const privateHandle = (key) => preparedPrivate(key)();
const publicHandle = (key) => preparedPublic(key)();

function createSecretKey(key, encoding = undefined) {
  if (!isTextOrBytes(key)) {
    throw invalidType('key', BYTES, key);
  }
  return makeSecret(toBytes(key, 'key', encoding));
}

const createPublicKey = (key) => makePublic(prepared(key, Use.CreatePublic)());
const createPrivateKey = (key) =>
  makePrivate(prepared(key, Use.CreatePrivate)());

module.exports = {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  keyBytes,
  needSecret,
  objectOf,
  preparedPrivate,
  preparedPublic,
  privateHandle,
  publicHandle,
  wrongType,
};
