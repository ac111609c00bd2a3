'use strict';

// The operations of crypto.subtle with keys.

/* global host */
const source = require('../lib/buffer-source.js');
const {
  bytesOf,
  dataError,
  domException,
  needBuffer,
  notSupported,
} = require('../lib/subtle/common.js');
const { HKDF, PBKDF2 } = require('../lib/subtle/derived.js');
const { since } = require('../lib/versions.js');
const key = require('../lib/subtle/key.js');
const { parametersOf, toLength } = require('../lib/subtle/normalize.js');
const rsa = require('../lib/subtle/rsa.js');
const { makeSupports } = require('../lib/subtle/supports.js');
const { pure, ...curves } = require('../lib/subtle/curves.js');
const { joined, sealed, secretKeys, ...symmetric } =
  require('../lib/subtle/symmetric.js');

const { isObject, sequence } = require('../lib/webidl.js');

const { CryptoKey, isKey, needKey, useKey } = key;

const BY_NAME = new Map(
  Object.entries({ ...symmetric, ...rsa, ...curves, HKDF, PBKDF2 }).map(
    ([name, algorithm]) => [name.toUpperCase(), { name, of: algorithm }],
  ),
);

function lookUp(wanted, where) {
  const isObject = typeof wanted === 'object' && wanted !== null;
  const given = isObject || typeof wanted === 'function' ? wanted : {};
  const name = given === wanted ? given.name : wanted;
  if (name === undefined && given === wanted) {
    throw new TypeError(`SubtleCrypto.${where}: the algorithm has no name`);
  }
  const key = `${name}`.toUpperCase();
  return [BY_NAME.get(key), given, name];
}

/**
 * The algorithm with the first of `operations` that it has.
 *
 * @returns {[object, object, string]} it, its parameters, and the operation
 */
function find(wanted, ...operations) {
  const [found, given, name] = lookUp(wanted, operations[0]);
  const has = (operation) => typeof found?.of[operation] === 'function';
  const operation = operations.find(has);
  if (operation === undefined) {
    throw notSupported(`Unrecognized algorithm name: ${String(name)}`);
  }
  return [found.of, parametersOf(found.name, operation, given), operation];
}

const USAGES = [
  'encrypt',
  'decrypt',
  'sign',
  'verify',
  'deriveKey',
  'deriveBits',
  'wrapKey',
  'unwrapKey',
];
const FORMATS = ['raw', 'spki', 'pkcs8', 'jwk'];
const isModern = since(24, 7);
if (isModern) {
  FORMATS.push('raw-public', 'raw-secret', 'raw-seed');
  USAGES.push(
    'encapsulateKey',
    'encapsulateBits',
    'decapsulateKey',
    'decapsulateBits',
  );
  const { algorithms } = require('../lib/subtle/modern.js');
  for (const [name, of] of Object.entries(algorithms)) {
    BY_NAME.set(name.toUpperCase(), { name, of });
  }
}

const oneOf = (list, where) => (value) => {
  const text = `${value}`;
  if (list.includes(text)) return text;
  throw new TypeError(`SubtleCrypto.${where}: '${text}' is no such value`);
};

const usagesOf = (usages, where) =>
  sequence(usages, `SubtleCrypto.${where}`, oneOf(USAGES, where));

const formatOf = (format, where) => oneOf(FORMATS, where)(format);

const bufferOf = (bytes) =>
  bytes instanceof Uint8Array ? bytes.slice().buffer : bytes;

// Checks buffers and keys first, then reads the algorithm, then copies the
// bytes.
const run = (operation) => async (wanted, used, data) => {
  const where = `SubtleCrypto.${operation}`;
  needKey(used, where);
  needBuffer(data, where);
  const [algorithm, parameters] = find(wanted, operation);
  return bufferOf(algorithm[operation](parameters, used, bytesOf(data, where)));
};

async function verify(wanted, used, signature, data) {
  const where = 'SubtleCrypto.verify';
  needKey(used, where);
  needBuffer(signature, where);
  needBuffer(data, where);
  const [algorithm, parameters] = find(wanted, 'verify');
  const given = bytesOf(signature, where);
  return algorithm.verify(parameters, used, given, bytesOf(data, where));
}

async function generateKey(wanted, extractable, usages) {
  const list = usagesOf(usages, 'generateKey');
  const [algorithm, parameters] = find(wanted, 'generateKey');
  return algorithm.generateKey(parameters, Boolean(extractable), list);
}

const isBuffer = (data) => source.bytesOf(data) !== undefined;

async function importKey(format, data, wanted, extractable, usages) {
  const where = 'SubtleCrypto.importKey';
  const kind = formatOf(format, 'importKey');
  if (!isObject(data)) throw new TypeError(`${where}: no key data`);
  const list = usagesOf(usages, 'importKey');
  const [algorithm, parameters] = find(wanted, 'importKey');
  if ((kind === 'jwk') === isBuffer(data)) {
    throw new TypeError(`${where}: not the data of a key in format ${kind}`);
  }
  const may = Boolean(extractable);
  return algorithm.importKey(kind, data, parameters, may, list);
}

async function exportKey(format, exported) {
  const kind = formatOf(format, 'exportKey');
  needKey(exported, 'SubtleCrypto.exportKey');
  return exportOf(kind, exported);
}

function exportOf(kind, exported) {
  const [algorithm] = find(exported.algorithm, 'exportKey');
  if (exported.extractable) return algorithm.exportKey(kind, exported);
  throw domException('key is not extractable', 'InvalidAccessError');
}

async function deriveBits(wanted, base, length = null) {
  needKey(base, 'SubtleCrypto.deriveBits');
  const bits = toLength(length);
  const [algorithm, parameters] = find(wanted, 'deriveBits');
  return bufferOf(algorithm.deriveBits(parameters, base, bits, 'deriveBits'));
}

async function deriveKey(wanted, base, derived, extractable, usages) {
  needKey(base, 'SubtleCrypto.deriveKey');
  const list = usagesOf(usages, 'deriveKey');
  const [algorithm, parameters] = find(wanted, 'deriveBits');
  const [target, imported] = find(derived, 'importKey');
  const [, sized] = find(derived, 'keyLength');
  useKey(base, parameters.name, 'deriveKey');
  const bits = target.keyLength(sized);
  const bytes = algorithm.deriveBits(parameters, base, bits, 'deriveKey');
  return target.importKey('raw', bytes, imported, Boolean(extractable), list);
}

async function wrapKey(format, wrapped, by, wanted) {
  const kind = formatOf(format, 'wrapKey');
  needKey(wrapped, 'SubtleCrypto.wrapKey');
  needKey(by, 'SubtleCrypto.wrapKey');
  const [algorithm, parameters, operation] = find(wanted, 'wrap', 'encrypt');
  useKey(by, parameters.name, 'wrapKey');
  const exported = exportOf(kind, wrapped);
  const bytes =
    kind === 'jwk'
      ? host.utf8Encode(textOf(exported, parameters.name))
      : new Uint8Array(exported);
  return bufferOf(algorithm[operation](parameters, by, bytes, 'wrapKey'));
}

async function unwrapKey(format, data, by, wanted, imported, may, usages) {
  const kind = formatOf(format, 'unwrapKey');
  needBuffer(data, 'SubtleCrypto.unwrapKey');
  needKey(by, 'SubtleCrypto.unwrapKey');
  const list = usagesOf(usages, 'unwrapKey');
  const [algorithm, parameters, operation] = find(wanted, 'unwrap', 'decrypt');
  const [target, wants] = find(imported, 'importKey');
  const given = bytesOf(data, 'SubtleCrypto.unwrapKey');
  const bytes = algorithm[operation](parameters, by, given, 'unwrapKey');
  const key = kind === 'jwk' ? jwkIn(bytes) : bytes;
  return target.importKey(kind, key, wants, Boolean(may), list);
}

// AES-KW wraps whole blocks of eight bytes; spaces at the end of JSON mean
// nothing.
function textOf(jwk, name) {
  const text = JSON.stringify(jwk);
  if (name !== 'AES-KW') return text;
  return text.padEnd(Math.ceil(text.length / 8) * 8);
}

function jwkIn(bytes) {
  try {
    const jwk = JSON.parse(host.utf8Decode(bytes, false, false));
    if (isObject(jwk)) return jwk;
  } catch {}
  throw dataError('The unwrapped key is not a JWK');
}

async function getPublicKey(used, usages) {
  needKey(used, 'SubtleCrypto.getPublicKey');
  const list = usagesOf(usages, 'getPublicKey');
  if (used.type !== 'private') {
    throw domException(
      'key must be a private key',
      used.type === 'secret' ? 'NotSupportedError' : 'InvalidAccessError',
    );
  }
  const [algorithm] = find(used.algorithm, 'exportKey');
  key.checkUsages(list, algorithm.publicUsages, false);
  const handle = key.innerOf(used);
  return key.asymmetricKey('public', used.algorithm, handle, true, list);
}

async function encapsulateBits(wanted, by) {
  needKey(by, 'SubtleCrypto.encapsulateBits');
  const [algorithm, parameters] = find(wanted, 'encapsulate');
  const [bits, ciphertext] = algorithm.encapsulate(
    parameters,
    by,
    'encapsulateBits',
  );
  return { sharedKey: bufferOf(bits), ciphertext: bufferOf(ciphertext) };
}

async function encapsulateKey(wanted, by, shared, may, usages) {
  needKey(by, 'SubtleCrypto.encapsulateKey');
  const list = usagesOf(usages, 'encapsulateKey');
  const [algorithm, parameters] = find(wanted, 'encapsulate');
  const [bits, ciphertext] = algorithm.encapsulate(
    parameters,
    by,
    'encapsulateKey',
  );
  const sharedKey = secretOf(bits, shared, may, list);
  return { sharedKey, ciphertext: bufferOf(ciphertext) };
}

function secretOf(bits, shared, may, list) {
  const [target, wants] = find(shared, 'importKey');
  try {
    return target.importKey('raw', bits, wants, Boolean(may), list);
  } catch (error) {
    if (error.name !== 'NotSupportedError') throw error;
    return target.importKey('raw-secret', bits, wants, Boolean(may), list);
  }
}

async function decapsulateBits(wanted, by, data) {
  needKey(by, 'SubtleCrypto.decapsulateBits');
  const given = bytesOf(data, 'SubtleCrypto.decapsulateBits');
  const [algorithm, parameters] = find(wanted, 'decapsulate');
  const bits = algorithm.decapsulate(parameters, by, given, 'decapsulateBits');
  return bufferOf(bits);
}

async function decapsulateKey(wanted, by, data, shared, may, usages) {
  needKey(by, 'SubtleCrypto.decapsulateKey');
  const list = usagesOf(usages, 'decapsulateKey');
  const given = bytesOf(data, 'SubtleCrypto.decapsulateKey');
  const [algorithm, parameters] = find(wanted, 'decapsulate');
  const bits = algorithm.decapsulate(parameters, by, given, 'decapsulateKey');
  return secretOf(bits, shared, may, list);
}

/** The CryptoKey with what a KeyObject has in it. */
function toCryptoKey(keyObject, wanted, may, usages) {
  const list = usagesOf(usages, 'importKey');
  const [algorithm, parameters] = find(wanted, 'importKey');
  const type = keyObject.type;
  const options = { public: 'spki', private: 'pkcs8' }[type];
  const data =
    type === 'secret'
      ? keyObject.export()
      : keyObject.export({ format: 'der', type: options });
  const format = options ?? 'raw';
  return algorithm.importKey(format, data, parameters, Boolean(may), list);
}

module.exports = {
  CryptoKey,
  makeSupports: (digests) => makeSupports(find, digests),
  toCryptoKey,
  copyKey: key.copyKey,
  isKey,
  methods: {
    decapsulateBits,
    decapsulateKey,
    decrypt: run('decrypt'),
    deriveBits,
    deriveKey,
    encapsulateBits,
    encapsulateKey,
    encrypt: run('encrypt'),
    exportKey,
    generateKey,
    getPublicKey,
    importKey,
    sign: run('sign'),
    unwrapKey,
    verify,
    wrapKey,
  },
};
