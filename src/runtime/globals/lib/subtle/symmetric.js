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
const {
  bytesIn,
  checkUsages,
  makeKey,
  needUsages,
  useKey,
} = require('./key.js');

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

/** Zeros in the place of the last byte's bits that are not used. */
function clearAfter(bytes, bits) {
  const rest = bits % 8;
  if (rest > 0) bytes[bytes.length - 1] &= 0xff << (8 - rest);
}

/** Keys that are nothing but bytes. */
function secretKeys({ usages: allowed, describe, generate, alg }) {
  return {
    generateKey(algorithm, extractable, usages) {
      checkUsages(usages, allowed, false);
      const bits = generate(algorithm);
      needUsages(usages);
      const bytes = randomBytes(Math.ceil(bits / 8));
      clearAfter(bytes, bits);
      const description = describe(algorithm, bytes.length * 8);
      return makeKey('secret', description, bytes, extractable, usages);
    },
    importKey(format, data, algorithm, extractable, usages) {
      checkUsages(usages, allowed, false);
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
      clearAfter(bytes, description.length);
      needUsages(usages);
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
      if (length !== undefined && Math.ceil(length / 8) * 8 !== bits) {
        throw dataError('Invalid key length');
      }
      return {
        name: 'HMAC',
        hash: { name: hashName(hash) },
        length: length ?? bits,
      };
    },
    generate({ hash, length = undefined }) {
      const bits = length ?? BLOCK_BITS[hashName(hash)] ?? 1024;
      if (bits > 0) return bits;
      throw operationError('A key of no length');
    },
    alg: ({ hash }) => `HS${hash.name.slice(4)}`,
  }),
  keyLength({ hash, length = BLOCK_BITS[hash] ?? 1024 }) {
    if (length > 0) return length;
    throw new TypeError('A key of no length');
  },
  sign: (_, key, data) => tagOf(key, 'sign', data),
  verify: (_, key, signature, data) =>
    equal(tagOf(key, 'verify', data), signature),
};

const aesLength = ({ length }) => {
  if (length === 128 || length === 192 || length === 256) return length;
  throw operationError('An AES key has 128, 192 or 256 bits');
};

function aes(name, short, usages) {
  const keys = secretKeys({
    usages,
    describe(_, bits) {
      if (bits === 128 || bits === 192 || bits === 256) {
        return { name, length: bits };
      }
      throw dataError('Invalid key length');
    },
    generate: aesLength,
    alg: ({ length }) => `A${length}${short}`,
  });
  return { ...keys, keyLength: aesLength };
}

function ivOf(iv, name, bytes) {
  if (iv.length === bytes) return iv;
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

// The library's tags are whole. Encrypting is its own inverse, so that gives
// the text of what has a short one, and the tag to compare it with.
function shortTags(open, size) {
  const seal = (plain) => {
    const sealed = open().encrypt(plain);
    return sealed.subarray(0, plain.length + size);
  };
  return {
    encrypt: seal,
    decrypt(data) {
      const end = data.length - size;
      if (end < 0) throw operationError(FAILED);
      const plain = seal(data.subarray(0, end)).slice(0, end);
      const tag = seal(plain).subarray(end);
      if (!equal(tag, data.subarray(end))) throw operationError(FAILED);
      return plain;
    },
  };
}

const GCM = {
  ...aes('AES-GCM', 'GCM', CRYPT),
  ...cipher('AES-GCM', ({ iv, additionalData, tagLength = 128 }, secret) => {
    if (!TAG_BITS.includes(tagLength)) {
      throw operationError(`${tagLength} is not a valid AES-GCM tag length`);
    }
    const open = () => gcm(secret, iv, additionalData);
    return tagLength === 128 ? open() : shortTags(open, tagLength / 8);
  }),
};

const CBC = {
  ...aes('AES-CBC', 'CBC', CRYPT),
  ...cipher('AES-CBC', ({ iv }, secret) => cbc(secret, ivOf(iv, 'iv', 16))),
};

// Only the last `bits` of the 16 bytes are the counter; the library uses all.
function counted(secret, start, bits, data) {
  const hex = [...start].map((byte) => byte.toString(16).padStart(2, '0'));
  const first = BigInt.asUintN(bits, BigInt(`0x${hex.join('')}`));
  const all = 1n << BigInt(bits);
  const blocks = BigInt(Math.ceil(data.length / 16));
  if (blocks > all) throw operationError('More data than the counter counts');
  const left = all - first;
  if (blocks <= left) return ctr(secret, start).encrypt(data);
  const again = start.slice();
  for (let at = 15, rest = bits; rest > 0; at -= 1, rest -= 8) {
    again[at] &= rest >= 8 ? 0 : 0xff << rest;
  }
  const split = Number(left) * 16;
  const result = new Uint8Array(data.length);
  result.set(ctr(secret, start).encrypt(data.subarray(0, split)));
  result.set(ctr(secret, again).encrypt(data.subarray(split)), split);
  return result;
}

const CTR = {
  ...aes('AES-CTR', 'CTR', CRYPT),
  ...cipher('AES-CTR', ({ counter, length }, secret) => {
    if (!(length > 0 && length <= 128)) {
      throw operationError('The counter has 1 to 128 bits');
    }
    const start = ivOf(counter, 'counter', 16);
    const run = (data) => counted(secret, start, length, data);
    return { encrypt: run, decrypt: run };
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
