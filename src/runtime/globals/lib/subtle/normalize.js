'use strict';

// The parameters of algorithms, as the Web Cryptography API converts them
// before it looks at anything else. Buffers are copied.

const { typedArrayKind } = require('../buffer-source.js');
const { nodeError } = require('../node-error.js');
const { bytesOf, hashName } = require('./common.js');
const { isKey } = require('./key.js');

const integer = (max) => (value, name) => {
  const number = Math.trunc(Number(value));
  if (number >= 0 && number <= max) return number || 0;
  throw new TypeError(`${name} is not a number from 0 to ${max}`);
};
const octet = integer(0xff);
const short = integer(0xffff);
const long = integer(0xffff_ffff);
const text = (value) => `${value}`;

function exponent(value, name) {
  if (typedArrayKind(value) === 'Uint8Array') return bytesOf(value, name);
  throw new TypeError(`${name} is not a Uint8Array`);
}

function cryptoKey(value, name) {
  if (isKey(value)) return value;
  throw nodeError(
    TypeError,
    'ERR_INVALID_ARG_TYPE',
    `${name} is not a CryptoKey`,
  );
}

const need = (name, convert) => ({ name, convert, isNeeded: true });
const may = (name, convert) => ({ name, convert, isNeeded: false });

const hash = need('hash', hashName);
const length = [need('length', short)];
const curve = [need('namedCurve', text)];
const hmac = [hash, may('length', long)];
const agree = [need('public', cryptoKey)];

const aes = (crypt) => ({
  encrypt: crypt,
  decrypt: crypt,
  generateKey: length,
  keyLength: length,
});
const rsa = (more) => ({
  generateKey: [
    hash,
    need('modulusLength', long),
    need('publicExponent', exponent),
  ],
  importKey: [hash],
  ...more,
});
const label = [may('label', bytesOf)];
const salt = [need('saltLength', long)];

const chacha = [
  may('additionalData', bytesOf),
  need('iv', bytesOf),
  may('tagLength', octet),
];
const kmacSign = [may('customization', bytesOf), need('outputLength', long)];
const kmac = {
  generateKey: [may('length', long)],
  importKey: [may('length', long)],
  keyLength: [may('length', long)],
  sign: kmacSign,
  verify: kmacSign,
};
const context = [may('context', bytesOf)];
const signs = { sign: context, verify: context };
const lattices = {
  'ML-DSA-44': signs,
  'ML-DSA-65': signs,
  'ML-DSA-87': signs,
  Ed448: signs,
};

// By algorithm and operation, in the order in which they are asked for.
const PARAMETERS = {
  'AES-CBC': aes([need('iv', bytesOf)]),
  'AES-CTR': aes([need('counter', bytesOf), need('length', octet)]),
  'AES-GCM': aes([
    may('additionalData', bytesOf),
    need('iv', bytesOf),
    may('tagLength', octet),
  ]),
  'AES-KW': aes([]),
  HMAC: { generateKey: hmac, importKey: hmac, keyLength: hmac },
  HKDF: { deriveBits: [hash, need('info', bytesOf), need('salt', bytesOf)] },
  PBKDF2: {
    deriveBits: [hash, need('iterations', long), need('salt', bytesOf)],
  },
  ECDSA: {
    generateKey: curve,
    importKey: curve,
    sign: [hash],
    verify: [hash],
  },
  ECDH: { generateKey: curve, importKey: curve, deriveBits: agree },
  X25519: { deriveBits: agree },
  X448: { deriveBits: agree },
  'RSASSA-PKCS1-v1_5': rsa({}),
  'RSA-PSS': rsa({ sign: salt, verify: salt }),
  'AES-OCB': {
    ...aes([
      may('additionalData', bytesOf),
      need('iv', bytesOf),
      may('tagLength', octet),
    ]),
  },
  'ChaCha20-Poly1305': {
    encrypt: chacha,
    decrypt: chacha,
  },
  KMAC128: kmac,
  KMAC256: kmac,
  ...lattices,
  'RSA-OAEP': rsa({ encrypt: label, decrypt: label }),
};

/**
 * @param {string} name of the algorithm, as the standard writes it
 * @param {string} operation
 * @param {object} given
 */
function parametersOf(name, operation, given) {
  const read = { name };
  for (const member of PARAMETERS[name]?.[operation] ?? []) {
    const value = given[member.name];
    if (value !== undefined) {
      read[member.name] = member.convert(value, member.name);
    } else if (member.isNeeded) {
      throw nodeError(
        TypeError,
        'ERR_MISSING_OPTION',
        `${name}: '${member.name}' is missing`,
      );
    }
  }
  return read;
}

const toLength = (value) =>
  value === undefined || value === null ? null : long(value, 'length');

module.exports = { parametersOf, toLength };
