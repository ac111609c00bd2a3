'use strict';

// Whether an operation would be done with these parameters: SubtleCrypto's
// `supports`, which runs none.

const { openssl } = require('../crypto/natives.js');
const { hashId, hashName } = require('./common.js');
const { slotsOf } = require('./key.js');
const { since } = require('../versions.js');

const KEM = /^(?:de|en)capsulate(?=Bits$|Key$)/;
const OPERATIONS = [
  ...['decapsulateBits', 'decapsulateKey', 'decrypt', 'deriveBits'],
  ...['deriveKey', 'digest', 'encapsulateBits', 'encapsulateKey', 'encrypt'],
  ...['exportKey', 'generateKey', 'getPublicKey', 'importKey', 'sign'],
  ...['unwrapKey', 'verify', 'wrapKey'],
];
const SHARED_BITS = 256;
const AGREED_BITS = { 'P-256': 256, 'P-384': 384, 'P-521': 528 };
const MIN_MODULUS_BITS = 512;

const isAesLength = (length) => [128, 192, 256].includes(length);
const isIn = (bits, iv, bytes) => (length) =>
  bits.includes(length ?? 128) && bytes(iv.length);

const isCrypt = {
  'AES-CBC': ({ iv }) => iv.length === 16,
  'AES-CTR': ({ counter, length }) =>
    counter.length === 16 && length > 0 && length <= 128,
  'AES-GCM': ({ tagLength, iv }) =>
    isIn([32, 64, 96, 104, 112, 120, 128], iv, () => true)(tagLength),
  'AES-OCB': ({ tagLength, iv }) =>
    isIn([64, 96, 128], iv, (size) => size < 16)(tagLength),
  'ChaCha20-Poly1305': ({ tagLength, iv }) =>
    isIn([128], iv, (size) => size === 12)(tagLength),
};

function isRsa({ modulusLength, publicExponent }) {
  let exponent = 0;
  for (const byte of publicExponent) exponent = exponent * 256 + byte;
  const isOdd = exponent >= 3 && exponent % 2 === 1;
  return isOdd && modulusLength >= MIN_MODULUS_BITS;
}

const isCurve = ({ namedCurve }) => Object.hasOwn(AGREED_BITS, namedCurve);
const hasLength = ({ length }) => length !== 0;
// Node 24 makes keys of KMAC of any length.
const isKmac = since(26)
  ? ({ length = 8 }) => length > 0 && length % 8 === 0
  : () => true;
const isAes = ({ length }) => isAesLength(length);
const isMac = ({ length, hash }) =>
  length === undefined ? hashName(hash).startsWith('SHA-') : length !== 0;

function isExpanded({ name, hash, iterations }, length) {
  if (length === null || length % 8 !== 0) return false;
  if (name === 'PBKDF2') {
    return iterations > 0 && (length === 0 || iterations < 2 ** 31);
  }
  const [size] = openssl.digestFacts(hashId(hashName(hash)));
  return length <= 255 * size * 8;
}

const isArgon2 = (_, length) =>
  length !== null && length % 8 === 0 && length >= 32;

const isAgreed = ({ public: key }, length) =>
  length <= AGREED_BITS[slotsOf(key).algorithm.namedCurve];

const FITS = {
  decrypt: isCrypt,
  encrypt: isCrypt,
  deriveBits: {
    Argon2d: isArgon2,
    Argon2i: isArgon2,
    Argon2id: isArgon2,
    ECDH: isAgreed,
    HKDF: isExpanded,
    PBKDF2: isExpanded,
    X25519: (_, length) => length <= 256,
    X448: (_, length) => length <= 448,
  },
  generateKey: {
    'AES-CBC': isAes,
    'AES-CTR': isAes,
    'AES-GCM': isAes,
    'AES-KW': isAes,
    'AES-OCB': isAes,
    ECDH: isCurve,
    ECDSA: isCurve,
    HMAC: isMac,
    KMAC128: isKmac,
    KMAC256: isKmac,
    'RSA-OAEP': isRsa,
    'RSA-PSS': isRsa,
    'RSASSA-PKCS1-v1_5': isRsa,
  },
  importKey: {
    ECDH: isCurve,
    ECDSA: isCurve,
    HMAC: hasLength,
    KMAC128: isKmac,
    KMAC256: isKmac,
  },
};

// Whether a key of this algorithm can be made of the bits that two sides share.
function takesShared({ name, length }) {
  if (name === 'HMAC' || name.startsWith('KMAC')) {
    return length === undefined || Math.ceil(length / 8) * 8 === SHARED_BITS;
  }
  return /^(?:AES|ChaCha|HKDF|PBKDF2)/.test(name);
}

/**
 * @param {(wanted: unknown, operation: string) => [object, object]} find an
 *   algorithm with its parameters, which throws where there is none
 * @param {string[]} digests
 */
function makeSupports(find, digests) {
  const found = (operation, wanted) => {
    try {
      return find(wanted, operation);
    } catch {
      return undefined;
    }
  };

  function does(operation, wanted, length = null) {
    const row = found(operation, wanted);
    if (row === undefined) return false;
    const fits = FITS[operation]?.[row[1].name];
    return fits === undefined || fits(row[1], length);
  }

  function digestsBy(wanted) {
    const name = typeof wanted === 'string' ? wanted : wanted.name;
    return name !== undefined && digests.includes(`${name}`.toUpperCase());
  }

  function derives(wanted, other) {
    const target = found('keyLength', other);
    if (target === undefined || !does('importKey', other)) return false;
    return does('deriveBits', wanted, target[0].keyLength(target[1]));
  }

  function encapsulates(operation, wanted, other) {
    if (!does(operation, wanted) || !does('importKey', other)) return false;
    return takesShared(found('importKey', other)[1]);
  }

  const wraps = (wanted) => does('wrap', wanted) || does('encrypt', wanted);
  const unwraps = (wanted) => does('unwrap', wanted) || does('decrypt', wanted);

  function isSupported(operation, wanted, length, other) {
    const hasOther = other !== undefined;
    switch (operation) {
      case 'deriveKey':
        return hasOther && derives(wanted, other);
      case 'digest':
        return digestsBy(wanted);
      case 'getPublicKey':
        return found('exportKey', wanted)?.[0].publicUsages !== undefined;
      case 'unwrapKey':
        return (!hasOther || does('importKey', other)) && unwraps(wanted);
      case 'wrapKey':
        return (!hasOther || does('exportKey', other)) && wraps(wanted);
      default: {
        const [kem] = KEM.exec(operation) ?? [];
        if (kem === undefined) return does(operation, wanted, length);
        return hasOther && operation.endsWith('Key')
          ? encapsulates(kem, wanted, other)
          : does(kem, wanted);
      }
    }
  }

  return (operation, wanted, length, other) => {
    if (!OPERATIONS.includes(operation)) return false;
    try {
      return isSupported(operation, wanted, length, other);
    } catch {
      return false;
    }
  };
}

module.exports = { makeSupports };
