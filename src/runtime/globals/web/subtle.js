'use strict';

// The operations of crypto.subtle with keys.

/* global host */
const {
  bytesOf,
  domException,
  notSupported,
} = require('../lib/subtle/common.js');
const { bytesOf: bytesOfSource } = require('../lib/buffer-source.js');
const { invalidType, nativeError } = require('../lib/crypto/errors.js');
const { HKDF, PBKDF2 } = require('../lib/subtle/derived.js');
const { since } = require('../lib/versions.js');
const key = require('../lib/subtle/key.js');
const { argumentsOf, converted, nameOf, parametersOf, validate } =
  require('../lib/subtle/normalize.js');
const rsa = require('../lib/subtle/rsa.js');
const { makeSupports } = require('../lib/subtle/supports.js');
const { pure, ...curves } = require('../lib/subtle/curves.js');
const { HMAC } = require('../lib/subtle/hmac.js');
const { algorithms: symmetric } = require('../lib/subtle/symmetric.js');

const { isObject } = require('../lib/webidl.js');

const { CryptoKey, isKey, useKey } = key;

const BY_NAME = new Map(
  Object.entries({ ...symmetric, ...rsa, ...curves, HKDF, HMAC, PBKDF2 }).map(
    ([name, algorithm]) => [name.toUpperCase(), { name, of: algorithm }],
  ),
);

/**
 * The algorithm with the first of `operations` that it has.
 *
 * @returns {[object, object, string]} it, its parameters, which nobody has
 *   looked at, and the operation
 */
function convert(wanted, ...operations) {
  const found = BY_NAME.get(nameOf(wanted).toUpperCase());
  const has = (operation) => typeof found?.of[operation] === 'function';
  const operation = operations.find(has);
  if (operation === undefined) {
    throw notSupported('Unrecognized algorithm name');
  }
  const given = typeof wanted === 'string' ? {} : wanted;
  return [found.of, parametersOf(found.name, operation, given), operation];
}

/** The same, with parameters that are in range. */
function find(wanted, ...operations) {
  const found = convert(wanted, ...operations);
  validate(found[1]);
  return found;
}

/** Looks at the key, then at the parameters: the order of Node 26. */
function checkUse(parameters, used, usage) {
  if (since(26)) useKey(used, parameters.name, usage);
  validate(parameters);
}

const isModern = since(24, 7);
if (isModern) {
  const { algorithms } = require('../lib/subtle/modern.js');
  for (const [name, of] of Object.entries(algorithms)) {
    BY_NAME.set(name.toUpperCase(), { name, of });
  }
}

const ALGORITHM = 'AlgorithmIdentifier';
const DATA = 'BufferSource';
const FORMAT = 'KeyFormat';
const KEY = 'CryptoKey';
const USAGES = 'sequence<KeyUsage>';

const bufferOf = (bytes) =>
  bytes instanceof Uint8Array ? bytes.slice().buffer : bytes;

// Checks buffers and keys first, then reads the algorithm, then copies the
// bytes.
const run =
  (operation) =>
  async (...values) => {
    const types = [ALGORITHM, KEY, DATA];
    const [wanted, used, data] = argumentsOf(operation, types, values);
    const [algorithm, parameters] = convert(wanted, operation);
    checkUse(parameters, used, operation);
    return bufferOf(algorithm[operation](parameters, used, bytesOf(data)));
  };

async function verify(...values) {
  const types = [ALGORITHM, KEY, DATA, DATA];
  const [wanted, used, signature, data] = argumentsOf('verify', types, values);
  const [algorithm, parameters] = convert(wanted, 'verify');
  checkUse(parameters, used, 'verify');
  return algorithm.verify(parameters, used, bytesOf(signature), bytesOf(data));
}

async function generateKey(...values) {
  const types = [ALGORITHM, 'boolean', USAGES];
  const [wanted, may, list] = argumentsOf('generateKey', types, values);
  const [algorithm, parameters] = convert(wanted, 'generateKey');
  return algorithm.generateKey(parameters, may, list);
}

async function importKey(...values) {
  // Newer Nodes convert the data by what they are, older ones by the format.
  const isBuffer = bytesOfSource(values[1], true) !== undefined;
  const isJwk = since(26) ? !isBuffer : String(values[0]) === 'jwk';
  const types = [FORMAT, isJwk ? 'JsonWebKey' : DATA, ALGORITHM, 'boolean'];
  const [kind, data, wanted, may, list] = argumentsOf(
    'importKey',
    [...types, USAGES],
    values,
  );
  const [algorithm, parameters] = find(wanted, 'importKey');
  if (isJwk !== (kind === 'jwk')) {
    const wants = kind === 'jwk' ? 'JsonWebKey' : 'BufferSource';
    throw invalidType('keyData', wants, data);
  }
  return algorithm.importKey(kind, data, parameters, may, list);
}

async function exportKey(...values) {
  const [kind, exported] = argumentsOf('exportKey', [FORMAT, KEY], values);
  return exportOf(kind, exported);
}

function exportOf(kind, exported) {
  const { algorithm: own, extractable } = key.slotsOf(exported);
  const { name } = own;
  const algorithm = BY_NAME.get(name.toUpperCase()).of;
  if (algorithm.exportKey === undefined && since(22)) {
    throw notSupported(`${name} key export is not supported`);
  }
  if (extractable) return algorithm.exportKey(kind, exported);
  throw domException(
    'key is not extractable',
    since(24) ? 'InvalidAccessError' : 'InvalidAccessException',
  );
}

async function deriveBits(...values) {
  const [, , length = null] = values;
  const types = [ALGORITHM, KEY, ...(length === null ? [] : ['unsigned long'])];
  const [wanted, base, bits = null] = argumentsOf('deriveBits', types, values);
  const [algorithm, parameters] = convert(wanted, 'deriveBits');
  return bufferOf(algorithm.deriveBits(parameters, base, bits, 'deriveBits'));
}

async function deriveKey(...values) {
  const [wanted, base, derived, extractable, list] = argumentsOf(
    'deriveKey',
    [ALGORITHM, KEY, ALGORITHM, 'boolean', USAGES],
    values,
  );
  const [algorithm, parameters] = convert(wanted, 'deriveBits');
  const [target, imported] = convert(derived, 'importKey');
  const lengthOf = () => convert(derived, 'keyLength')[1];
  // Older Nodes ask for the length of a key that may be used.
  const early = since(24) ? lengthOf() : undefined;
  useKey(base, parameters.name, 'deriveKey');
  const sized = early ?? lengthOf();
  validate(sized);
  const bits = target.keyLength(sized);
  const bytes = algorithm.deriveBits(parameters, base, bits, 'deriveKey');
  validate(imported);
  return importSecret(target, bytes, imported, extractable, list);
}

async function wrapKey(...values) {
  const [kind, wrapped, by, wanted] = argumentsOf(
    'wrapKey',
    [FORMAT, KEY, KEY, ALGORITHM],
    values,
  );
  const [algorithm, parameters, operation] = convert(wanted, 'wrap', 'encrypt');
  useKey(by, parameters.name, 'wrapKey');
  const exported = exportOf(kind, wrapped);
  validate(parameters);
  const bytes =
    kind === 'jwk'
      ? host.utf8Encode(textOf(exported, parameters.name))
      : new Uint8Array(exported);
  return bufferOf(algorithm[operation](parameters, by, bytes, 'wrapKey'));
}

async function unwrapKey(...values) {
  const [kind, data, by, wanted, imported, may, list] = argumentsOf(
    'unwrapKey',
    [FORMAT, DATA, KEY, ALGORITHM, ALGORITHM, 'boolean', USAGES],
    values,
  );
  const [algorithm, parameters, operation] = convert(
    wanted,
    'unwrap',
    'decrypt',
  );
  const unwrap = () => {
    checkUse(parameters, by, 'unwrapKey');
    const given = bytesOf(data);
    const bytes = algorithm[operation](parameters, by, given, 'unwrapKey');
    return kind === 'jwk' ? jwkIn(bytes) : bytes;
  };
  // Older Nodes look at the new key's algorithm when they have its bytes.
  if (!since(24)) return importKey(kind, unwrap(), imported, may, list);
  const [target, wants] = convert(imported, 'importKey');
  const unwrapped = unwrap();
  validate(wants);
  return target.importKey(kind, unwrapped, wants, may, list);
}

// AES-KW wraps whole blocks of eight bytes; spaces at the end of JSON mean
// nothing.
function textOf(jwk, name) {
  const text = JSON.stringify(jwk);
  if (name !== 'AES-KW') return text;
  return text.padEnd(Math.ceil(text.length / 8) * 8);
}

const NO_JWK = 'Invalid wrapped JWK key';

/** What the bytes are as JSON; older Nodes look at it as if it were given. */
function jwkIn(bytes) {
  const name = 'DataError';
  let jwk;
  try {
    const { TextDecoder } = require('sw:internal/encoding');
    jwk = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (since(24) && jwk !== null && !isObject(jwk)) {
      throw nativeError(
        TypeError,
        'ERR_INVALID_ARG_TYPE',
        'Value cannot be converted to a dictionary',
      );
    }
  } catch (cause) {
    throw domException(NO_JWK, since(24) ? { name, cause } : name);
  }
  if (since(24) && jwk?.kty === undefined) throw domException(NO_JWK, name);
  return jwk;
}

async function getPublicKey(...values) {
  const [used, list] = argumentsOf('getPublicKey', [KEY, USAGES], values);
  if (used.type !== 'private') {
    throw domException(
      'key must be a private key',
      used.type === 'secret' ? 'NotSupportedError' : 'InvalidAccessError',
    );
  }
  const { algorithm: own } = key.slotsOf(used);
  const [algorithm] = find(own, 'exportKey');
  key.checkUsages(list, algorithm.publicUsages, false);
  const handle = key.innerOf(used);
  return key.asymmetricKey('public', own, handle, true, list);
}

async function encapsulateBits(...values) {
  const types = [ALGORITHM, KEY];
  const [wanted, by] = argumentsOf('encapsulateBits', types, values);
  const [algorithm, parameters] = find(wanted, 'encapsulate');
  const [bits, ciphertext] = algorithm.encapsulate(
    parameters,
    by,
    'encapsulateBits',
  );
  return { sharedKey: bufferOf(bits), ciphertext: bufferOf(ciphertext) };
}

async function encapsulateKey(...values) {
  const [wanted, by, shared, may, list] = argumentsOf(
    'encapsulateKey',
    [ALGORITHM, KEY, ALGORITHM, 'boolean', USAGES],
    values,
  );
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
  return importSecret(target, bits, wants, may, list);
}

// The name of bytes that is said where they are refused.
const SECRET = isModern ? 'raw-secret' : 'raw';

const importSecret = (target, bits, wants, may, list) =>
  target.importKey(SECRET, bits, wants, Boolean(may), list);

async function decapsulateBits(...values) {
  const types = [ALGORITHM, KEY, DATA];
  const [wanted, by, data] = argumentsOf('decapsulateBits', types, values);
  const given = bytesOf(data);
  const [algorithm, parameters] = find(wanted, 'decapsulate');
  const bits = algorithm.decapsulate(parameters, by, given, 'decapsulateBits');
  return bufferOf(bits);
}

async function decapsulateKey(...values) {
  const [wanted, by, data, shared, may, list] = argumentsOf(
    'decapsulateKey',
    [ALGORITHM, KEY, DATA, ALGORITHM, 'boolean', USAGES],
    values,
  );
  const given = bytesOf(data);
  const [algorithm, parameters] = find(wanted, 'decapsulate');
  const bits = algorithm.decapsulate(parameters, by, given, 'decapsulateKey');
  return secretOf(bits, shared, may, list);
}

/** The CryptoKey with what a KeyObject has in it. */
function toCryptoKey(keyObject, wanted, may, usages) {
  const [algorithm, parameters] = find(
    converted(ALGORITHM, wanted),
    'importKey',
  );
  const extractable = converted('boolean', may);
  const list = converted(USAGES, usages);
  const { type } = keyObject;
  const isOfSecrets = algorithm.publicUsages === undefined;
  if (isOfSecrets !== (type === 'secret')) {
    throw notSupported('Unrecognized algorithm name');
  }
  const options = { public: 'spki', private: 'pkcs8' }[type];
  const data =
    type === 'secret'
      ? keyObject.export()
      : keyObject.export({ format: 'der', type: options });
  return options === undefined
    ? importSecret(algorithm, data, parameters, extractable, list)
    : algorithm.importKey(options, data, parameters, extractable, list);
}

module.exports = {
  CryptoKey,
  argumentsOf,
  nameOf,
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
