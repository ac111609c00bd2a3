'use strict';

// Anything that crypto takes as a key.

const { copyOf, toBytes } = require('./bytes.js');
const { cryptoError, invalidType, needObject } = require('./errors.js');
const { isTextOrBytes, readInput } = require('./key-encoding.js');
const { importJwk } = require('./jwk.js');
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
const { isRaw, readRaw } = require('./raw-keys.js');
const { since } = require('../versions.js');

const BYTES = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];
const TEXT_OR_BYTES = [...BYTES, 'string'];
const ALL = [...TEXT_OR_BYTES, 'KeyObject', 'CryptoKey'];
// What names a private key in OpenSSL's stores, which no isolate reads.
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
    throw invalidType('key', [...TEXT_OR_BYTES], object);
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

function parse(data, use, { format, type, passphrase }) {
  return openssl.keyRead(
    data,
    wantsPrivate(use),
    Format[format],
    Form[type] ?? -1,
    passphrase,
  );
}

/** The native of an asymmetric key. */
function asymmetric(key, use, name = 'key') {
  const types = [
    ...(use === Use.CreatePrivate ? TEXT_OR_BYTES : ALL),
    ...(wantsPrivate(use) ? STORED : []),
  ];
  const object = objectOf(key);
  if (object !== undefined) return handleFor(object, use);
  if (isTextOrBytes(key)) {
    return parse(toBytes(key, 'key'), use, { format: 'pem' });
  }
  if (key === null) {
    throw new TypeError(
      "Cannot destructure property 'key' of 'key' as it is null.",
    );
  }
  if (typeof key !== 'object') throw invalidType(name, types, key);
  const { key: data, encoding, format } = key;
  const inner = objectOf(data);
  if (inner !== undefined) return handleFor(inner, use);
  if (format === 'jwk') {
    needObject(data, 'key.key');
    return importJwk(data, !wantsPrivate(use));
  }
  if (isRaw(format)) return readRaw(key, wantsPrivate(use), name);
  if (!isTextOrBytes(data)) throw invalidType(`${name}.key`, types, data);
  const bytes = toBytes(data, 'key', encoding);
  const input = readInput(key, wantsPrivate(use) ? false : undefined);
  return parse(bytes, use, input);
}

const privateHandle = (key, name = 'key') =>
  asymmetric(key, Use.ConsumePrivate, name);
const publicHandle = (key) => asymmetric(key, Use.ConsumePublic);

function createSecretKey(key, encoding = undefined) {
  if (!isTextOrBytes(key)) {
    throw invalidType('key', BYTES, key);
  }
  return makeSecret(toBytes(key, 'key', encoding));
}

const createPublicKey = (key) => makePublic(asymmetric(key, Use.CreatePublic));
const createPrivateKey = (key) =>
  makePrivate(asymmetric(key, Use.CreatePrivate));

module.exports = {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  keyBytes,
  needSecret,
  objectOf,
  privateHandle,
  publicHandle,
  wrongType,
};
