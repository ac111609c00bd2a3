'use strict';

/* global host */
const { aeskw, cbc, ctr, gcm } = require('sw:ciphers').aes;

const {
  attempt,
  bytesOf,
  checkJwk,
  dataError,
  findHash,
  fromBase64Url,
  hashName,
  notSupported,
  operationError,
  toBase64Url,
} = require('./common.js');
const { bytesIn, checkUsages, makeKey, useKey } = require('./key.js');

const BLOCK_BITS = { 'SHA-1': 512, 'SHA-256': 512, 'SHA-384': 1024 };
const CRYPT = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
const FAILED = 'The operation failed for an operation-specific reason';

function randomBytes(length) {
  const bytes = new Uint8Array(length);
  host.randomFill(bytes);
  return bytes;
}

function fromJwk(jwk, alg, extractable, usages) {
  checkJwk(jwk, 'oct', extractable, usages);
  const bytes = fromBase64Url(jwk.k, 'k');
  if (jwk.alg !== undefined && jwk.alg !== alg(bytes.length * 8)) {
    throw dataError('JWK: "alg" does not fit');
  }
  return bytes;
}

/** Keys that are nothing but bytes. */
function secretKeys({ usages: allowed, describe, generate, alg }) {
  return {
    generateKey(algorithm, extractable, usages) {
      checkUsages(usages, allowed, true);
      const bytes = randomBytes(generate(algorithm) / 8);
      const description = describe(algorithm, bytes.length * 8);
      return makeKey('secret', description, bytes, extractable, usages);
    },
    importKey(format, data, algorithm, extractable, usages) {
      checkUsages(usages, allowed, true);
      let bytes;
      if (format === 'jwk') {
        const name = (bits) => alg(describe(algorithm, bits));
        bytes = fromJwk(data, name, extractable, usages);
      } else if (format === 'raw') {
        bytes = bytesOf(data, 'importKey');
      } else {
        throw notSupported(`A secret key has no format ${format}`);
      }
      const description = describe(algorithm, bytes.length * 8);
      return makeKey('secret', description, bytes, extractable, usages);
    },
    exportKey(format, key) {
      if (format === 'raw') return bytesIn(key).slice().buffer;
      if (format !== 'jwk') {
        throw notSupported(`A secret key has no format ${format}`);
      }
      return {
        key_ops: key.usages,
        ext: key.extractable,
        kty: 'oct',
        k: toBase64Url(bytesIn(key)),
        alg: alg(key.algorithm),
      };
    },
  };
}

function equal(left, right) {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let at = 0; at < left.length; at += 1) {
    difference |= left[at] ^ right[at];
  }
  return difference === 0;
}

function tagOf(key, usage, data) {
  const secret = useKey(key, 'HMAC', usage);
  const hash = findHash(key.algorithm.hash.name);
  return require('sw:hashes').hmac(hash, secret, data);
}

const HMAC = {
  ...secretKeys({
    usages: ['sign', 'verify'],
    describe({ hash, length = undefined }, bits) {
      if (bits === 0) throw dataError('Zero-length key is not supported');
      if (length !== undefined && length !== bits) {
        throw dataError('Invalid key length');
      }
      return { name: 'HMAC', hash: { name: hashName(hash) }, length: bits };
    },
    generate({ hash, length = undefined }) {
      const bits = length ?? BLOCK_BITS[hashName(hash)] ?? 1024;
      if (bits > 0 && bits % 8 === 0) return bits;
      throw operationError('The length is in bits, of whole bytes');
    },
    alg: ({ hash }) => `HS${hash.name.slice(4)}`,
  }),
  sign: (_, key, data) => tagOf(key, 'sign', data),
  verify: (_, key, signature, data) =>
    equal(tagOf(key, 'verify', data), signature),
};

function aes(name, short, usages) {
  return secretKeys({
    usages,
    describe(_, bits) {
      if (bits === 128 || bits === 192 || bits === 256) {
        return { name, length: bits };
      }
      throw dataError('Invalid key length');
    },
    generate({ length }) {
      if (length === 128 || length === 192 || length === 256) return length;
      throw operationError('An AES key has 128, 192 or 256 bits');
    },
    alg: ({ length }) => `A${length}${short}`,
  });
}

function ivOf(data, name, bytes = undefined) {
  const iv = bytesOf(data, name);
  if (bytes === undefined || iv.length === bytes) return iv;
  throw operationError(`${name} has ${bytes} bytes`);
}

/** A cipher of the library as encrypt and decrypt. */
function cipher(name, open) {
  const run = (usage) => (algorithm, key, data, as) => {
    const secret = useKey(key, name, as ?? usage);
    const opened = open(algorithm, secret);
    return attempt(FAILED, () => opened[usage](data));
  };
  return { encrypt: run('encrypt'), decrypt: run('decrypt') };
}

const TAG_BITS = [32, 64, 96, 104, 112, 120, 128];

const GCM = {
  ...aes('AES-GCM', 'GCM', CRYPT),
  ...cipher('AES-GCM', ({ iv, additionalData, tagLength = 128 }, secret) => {
    if (!TAG_BITS.includes(tagLength)) {
      throw operationError(`${tagLength} is not a valid AES-GCM tag length`);
    }
    if (tagLength !== 128) {
      throw notSupported('AES-GCM has tags of 128 bits here');
    }
    const more =
      additionalData === undefined
        ? undefined
        : bytesOf(additionalData, 'additionalData');
    return gcm(secret, ivOf(iv, 'iv'), more);
  }),
};

const CBC = {
  ...aes('AES-CBC', 'CBC', CRYPT),
  ...cipher('AES-CBC', ({ iv }, secret) => cbc(secret, ivOf(iv, 'iv', 16))),
};

const CTR = {
  ...aes('AES-CTR', 'CTR', CRYPT),
  ...cipher('AES-CTR', ({ counter, length }, secret) => {
    if (!(length > 0 && length <= 128)) {
      throw operationError('The counter has 1 to 128 bits');
    }
    return ctr(secret, ivOf(counter, 'counter', 16));
  }),
};

const KW = {
  ...aes('AES-KW', 'KW', ['wrapKey', 'unwrapKey']),
  wrap: (_, key, data) =>
    attempt(FAILED, () =>
      aeskw(useKey(key, 'AES-KW', 'wrapKey')).encrypt(data),
    ),
  unwrap: (_, key, data) =>
    attempt(FAILED, () =>
      aeskw(useKey(key, 'AES-KW', 'unwrapKey')).decrypt(data),
    ),
};

module.exports = {
  HMAC,
  'AES-GCM': GCM,
  'AES-CBC': CBC,
  'AES-CTR': CTR,
  'AES-KW': KW,
  randomBytes,
};
