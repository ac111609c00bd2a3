'use strict';

// What crypto.subtle does with keys.

const {
  bytesOf,
  domException,
  notSupported,
  operationError,
} = require('../lib/subtle/common.js');
const { HKDF, PBKDF2 } = require('../lib/subtle/derived.js');
const key = require('../lib/subtle/key.js');
const { randomBytes, ...symmetric } = require('../lib/subtle/symmetric.js');

const { bytesIn, CryptoKey, isKey, makeKey, needKey } = key;

// Bundle -> algorithms that load with it.
const LARGE = {
  curves: ['ECDH', 'ECDSA', 'Ed25519', 'X25519'],
  rsa: ['RSA-OAEP', 'RSA-PSS', 'RSASSA-PKCS1-v1_5'],
};
const BY_NAME = new Map(
  Object.entries({ ...symmetric, HKDF, PBKDF2 }).map(([name, algorithm]) => [
    name.toUpperCase(),
    algorithm,
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
    for (const name of names) BY_NAME.set(name.toUpperCase(), algorithms[name]);
  }
}

/** The algorithm with `operation`, and its parameters. */
function find(wanted, operation) {
  const parameters = typeof wanted === 'string' ? { name: wanted } : wanted;
  if (typeof parameters !== 'object' || parameters === null) {
    throw new TypeError(`SubtleCrypto.${operation}: algorithm is missing`);
  }
  const name = `${parameters.name}`.toUpperCase();
  if (!BY_NAME.has(name)) loadLarge(name);
  const algorithm = BY_NAME.get(name);
  if (typeof algorithm?.[operation] !== 'function') {
    throw notSupported(`Unrecognized algorithm name: ${parameters.name}`);
  }
  return [algorithm, parameters];
}

function usagesOf(usages, where) {
  if (typeof usages?.[Symbol.iterator] === 'function') return [...usages];
  throw new TypeError(`SubtleCrypto.${where}: keyUsages is not a sequence`);
}

const bufferOf = (bytes) =>
  bytes instanceof Uint8Array ? bytes.slice().buffer : bytes;

const run = (operation, name, as) => async (wanted, used, data) => {
  const [algorithm, parameters] = find(wanted, operation);
  const bytes = bytesOf(data, `SubtleCrypto.${name}`);
  needKey(used, `SubtleCrypto.${name}`);
  return bufferOf(algorithm[operation](parameters, used, bytes, as));
};

const encrypt = run('encrypt', 'encrypt');
const decrypt = run('decrypt', 'decrypt');
const sign = run('sign', 'sign');

async function verify(wanted, used, signature, data) {
  const [algorithm, parameters] = find(wanted, 'verify');
  const given = bytesOf(signature, 'SubtleCrypto.verify');
  const bytes = bytesOf(data, 'SubtleCrypto.verify');
  needKey(used, 'SubtleCrypto.verify');
  return algorithm.verify(parameters, used, given, bytes);
}

async function generateKey(wanted, extractable, usages) {
  const [algorithm, parameters] = find(wanted, 'generateKey');
  const list = usagesOf(usages, 'generateKey');
  return algorithm.generateKey(parameters, Boolean(extractable), list);
}

async function importKey(format, data, wanted, extractable, usages) {
  const [algorithm, parameters] = find(wanted, 'importKey');
  const list = usagesOf(usages, 'importKey');
  const may = Boolean(extractable);
  return algorithm.importKey(format, data, parameters, may, list);
}

async function exportKey(format, exported) {
  needKey(exported, 'SubtleCrypto.exportKey');
  const [algorithm] = find(exported.algorithm, 'exportKey');
  if (exported.extractable) return algorithm.exportKey(format, exported);
  throw domException('key is not extractable', 'InvalidAccessError');
}

async function deriveBits(wanted, base, length = null) {
  const [algorithm, parameters] = find(wanted, 'deriveBits');
  needKey(base, 'SubtleCrypto.deriveBits');
  return bufferOf(algorithm.deriveBits(parameters, base, length, 'deriveBits'));
}

// How many bits a derived key takes; null: as many as there are.
function lengthOf({ name, length, hash }) {
  const wanted = `${name}`.toUpperCase();
  if (wanted.startsWith('AES-')) return length;
  if (wanted !== 'HMAC') return null;
  if (length !== undefined) return length;
  return /(?:384|512)$/.test(hash?.name ?? hash) ? 1024 : 512;
}

async function deriveKey(wanted, base, derived, extractable, usages) {
  const [algorithm, parameters] = find(wanted, 'deriveBits');
  const [, target] = find(derived, 'importKey');
  needKey(base, 'SubtleCrypto.deriveKey');
  const bits = lengthOf(target);
  const bytes = algorithm.deriveBits(parameters, base, bits, 'deriveKey');
  return importKey('raw', bytes, target, extractable, usages);
}

async function wrapKey(format, wrapped, by, wanted) {
  needKey(wrapped, 'SubtleCrypto.wrapKey');
  needKey(by, 'SubtleCrypto.wrapKey');
  const exported = await exportKey(format, wrapped);
  const bytes =
    format === 'jwk'
      ? require('node:buffer').Buffer.from(JSON.stringify(exported))
      : new Uint8Array(exported);
  const own = wanted?.name ?? wanted;
  if (`${own}`.toUpperCase() === 'AES-KW') {
    const [algorithm, parameters] = find(wanted, 'wrap');
    return bufferOf(algorithm.wrap(parameters, by, bytes));
  }
  const [algorithm, parameters] = find(wanted, 'encrypt');
  return bufferOf(algorithm.encrypt(parameters, by, bytes, 'wrapKey'));
}

async function unwrapKey(format, data, by, wanted, ...imported) {
  needKey(by, 'SubtleCrypto.unwrapKey');
  const given = bytesOf(data, 'SubtleCrypto.unwrapKey');
  const own = wanted?.name ?? wanted;
  const [algorithm, parameters] = find(
    wanted,
    `${own}`.toUpperCase() === 'AES-KW' ? 'unwrap' : 'decrypt',
  );
  const bytes =
    algorithm.unwrap?.(parameters, by, given) ??
    algorithm.decrypt(parameters, by, given, 'unwrapKey');
  if (format !== 'jwk') return importKey(format, bytes, ...imported);
  let jwk;
  try {
    jwk = JSON.parse(require('node:buffer').Buffer.from(bytes).toString());
  } catch {
    throw operationError('The unwrapped key is not a JWK');
  }
  return importKey(format, jwk, ...imported);
}

/** What a KeyObject is made of, whether the key is extractable or not. */
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
    useKey: key.useKey,
  },
  methods: {
    decrypt,
    deriveBits,
    deriveKey,
    encrypt,
    exportKey,
    generateKey,
    importKey,
    sign,
    unwrapKey,
    verify,
    wrapKey,
  },
};
