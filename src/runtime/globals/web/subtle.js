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
const key = require('../lib/subtle/key.js');
const { parametersOf, toLength } = require('../lib/subtle/normalize.js');
const { randomBytes, ...symmetric } = require('../lib/subtle/symmetric.js');

const { isObject, sequence } = require('../lib/webidl.js');

const { bytesIn, CryptoKey, isKey, makeKey, needKey, useKey } = key;

// Bundle -> algorithms that load with it.
const LARGE = {
  curves: ['ECDH', 'ECDSA', 'Ed25519', 'X25519'],
  rsa: ['RSA-OAEP', 'RSA-PSS', 'RSASSA-PKCS1-v1_5'],
};
const BY_NAME = new Map(
  Object.entries({ ...symmetric, HKDF, PBKDF2 }).map(([name, algorithm]) => [
    name.toUpperCase(),
    { name, of: algorithm },
  ]),
);

function loadLarge(wanted) {
  const load = {
    curves: () => require('sw:curves'),
    rsa: () => require('sw:rsa'),
  };
  for (const [bundle, names] of Object.entries(LARGE)) {
    if (!names.some((name) => name.toUpperCase() === wanted)) continue;
    const algorithms = load[bundle]();
    for (const name of names) {
      BY_NAME.set(name.toUpperCase(), { name, of: algorithms[name] });
    }
  }
}

function lookUp(wanted, where) {
  const isObject = typeof wanted === 'object' && wanted !== null;
  const given = isObject || typeof wanted === 'function' ? wanted : {};
  const name = given === wanted ? given.name : wanted;
  if (name === undefined && given === wanted) {
    throw new TypeError(`SubtleCrypto.${where}: the algorithm has no name`);
  }
  const key = `${name}`.toUpperCase();
  if (!BY_NAME.has(key)) loadLarge(key);
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
      ? host.utf8Encode(JSON.stringify(exported))
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

function jwkIn(bytes) {
  try {
    const jwk = JSON.parse(host.utf8Decode(bytes, false, false));
    if (isObject(jwk)) return jwk;
  } catch {}
  throw dataError('The unwrapped key is not a JWK');
}

/** The parts for a KeyObject, even if the key is not extractable. */
function keyObjectParts(of) {
  if (of.type === 'secret') return { type: 'secret', bytes: bytesIn(of) };
  const [algorithm] = find(of.algorithm, 'exportKey');
  return { type: of.type, jwk: algorithm.exportKey('jwk', of) };
}

module.exports = {
  CryptoKey,
  copyKey: key.copyKey,
  isKey,
  // For sw:curves: state must be there once.
  shared: {
    bytesIn,
    checkUsages: key.checkUsages,
    domException,
    keyObjectParts,
    makeKey,
    needKey,
    randomBytes,
    useKey,
  },
  methods: {
    decrypt: run('decrypt'),
    deriveBits,
    deriveKey,
    encrypt: run('encrypt'),
    exportKey,
    generateKey,
    importKey,
    sign: run('sign'),
    unwrapKey,
    verify,
    wrapKey,
  },
};
