'use strict';

// The conversions of the Web Cryptography API, which are Node's own text, and
// which of them an algorithm's parameters go through. Buffers are copied.

const { moduleOf } = require('sw:library');

const source = require('../buffer-source.js');
const { since } = require('../versions.js');
const { hashName, notSupported } = require('./common.js');

const webidl = () => moduleOf('internal/crypto/webidl');
const NORMAL = {
  prefix: 'Failed to normalize algorithm',
  context: 'passed algorithm',
};
const ORDINALS = ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th'];

/**
 * Arguments of a method, each as the standard converts it.
 *
 * @param {string} method
 * @param {string[]} types by argument
 * @param {unknown[]} values
 */
function argumentsOf(method, types, values) {
  const { converters } = webidl();
  const prefix = `Failed to execute '${method}' on 'SubtleCrypto'`;
  return types.map((type, at) => {
    const context = `${ORDINALS[at]} argument`;
    const isRanged = type === 'unsigned long' && since(24);
    const options = isRanged ? { enforceRange: true } : {};
    return converters[type](values[at], { prefix, context, ...options });
  });
}

/** The value of a method's argument that has no name in its errors. */
const converted = (type, value) => webidl().converters[type](value);

/** The name in an algorithm, which is a text or an object. */
const nameOf = (algorithm) =>
  webidl().converters.Algorithm(
    typeof algorithm === 'object' || typeof algorithm === 'function'
      ? algorithm
      : { name: algorithm },
    NORMAL,
  ).name;

const aes = (crypt) => ({
  encrypt: crypt,
  decrypt: crypt,
  generateKey: 'AesKeyGenParams',
  keyLength: 'AesDerivedKeyParams',
});
const ec = {
  generateKey: 'EcKeyGenParams',
  importKey: 'EcKeyImportParams',
};
const agree = { deriveBits: 'EcdhKeyDeriveParams' };
const rsa = (more) => ({
  generateKey: 'RsaHashedKeyGenParams',
  importKey: 'RsaHashedImportParams',
  ...more,
});
const both = (type) => ({ sign: type, verify: type });
const kmac = {
  generateKey: 'KmacKeyGenParams',
  importKey: 'KmacImportParams',
  keyLength: 'KmacImportParams',
  ...both('KmacParams'),
};
const argon2 = { deriveBits: 'Argon2Params' };

const TYPES = {
  'AES-CBC': aes('AesCbcParams'),
  'AES-CTR': aes('AesCtrParams'),
  'AES-GCM': aes('AeadParams'),
  'AES-KW': aes(undefined),
  'AES-OCB': aes('AeadParams'),
  Argon2d: argon2,
  Argon2i: argon2,
  Argon2id: argon2,
  'ChaCha20-Poly1305': { encrypt: 'AeadParams', decrypt: 'AeadParams' },
  ECDH: { ...ec, ...agree },
  ECDSA: { ...ec, ...both('EcdsaParams') },
  Ed448: both('ContextParams'),
  HKDF: { deriveBits: 'HkdfParams' },
  HMAC: {
    generateKey: 'HmacKeyGenParams',
    importKey: 'HmacImportParams',
    keyLength: 'HmacImportParams',
  },
  KMAC128: kmac,
  KMAC256: kmac,
  'ML-DSA-44': both('ContextParams'),
  'ML-DSA-65': both('ContextParams'),
  'ML-DSA-87': both('ContextParams'),
  PBKDF2: { deriveBits: 'Pbkdf2Params' },
  'RSA-OAEP': rsa({ encrypt: 'RsaOaepParams', decrypt: 'RsaOaepParams' }),
  'RSA-PSS': rsa(both('RsaPssParams')),
  'RSASSA-PKCS1-v1_5': rsa({}),
  X25519: agree,
  X448: agree,
};

// Names that these have on older Nodes.
const FORMER = { AeadParams: 'AesGcmParams', ContextParams: 'Ed448Params' };

function hashOf(value) {
  const name = nameOf(value);
  try {
    return hashName(name);
  } catch {
    throw notSupported('Unrecognized algorithm name');
  }
}

// Checks of parameters that are converted; Node 26 makes them after the key's.
const unchecked = new WeakMap();

/** Refuses parameters that are out of range. */
function validate(parameters) {
  unchecked.get(parameters)?.(parameters);
}

/**
 * @param {string} name of the algorithm, as the standard writes it
 * @param {string} operation
 * @param {object} given
 */
function parametersOf(name, operation, given) {
  const wanted = TYPES[name]?.[operation];
  if (wanted === undefined) return { name };
  const { algorithmConverters, converters, validators } = webidl();
  const type = converters[wanted] === undefined ? FORMER[wanted] : wanted;
  // Node 26 converts what is left beside the name, and validates then.
  const read =
    algorithmConverters === undefined
      ? converters[type]({ __proto__: given, name }, NORMAL)
      : algorithmConverters[type](given, NORMAL);
  read.name = name;
  // The length of an HMAC key is not looked at where it is asked for.
  const isLater = operation !== 'keyLength' || name !== 'HMAC';
  if (isLater && validators?.[type]) unchecked.set(read, validators[type]);
  for (const [member, value] of Object.entries(read)) {
    if (member === 'hash') read.hash = hashOf(value);
    else if (member !== 'public') {
      const bytes = source.bytesOf(value, true);
      if (bytes !== undefined) read[member] = bytes.slice();
    }
  }
  return read;
}

module.exports = { argumentsOf, converted, nameOf, parametersOf, validate };
