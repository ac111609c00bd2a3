'use strict';

const { openssl } = require('../crypto/natives.js');
const {
  attempt,
  bytesOf,
  checkJwk,
  dataError,
  domException,
  fromBase64Url,
  notSupported,
  operationError,
  toBase64Url,
} = require('./common.js');
const { noExport } = require('./der-forms.js');
const { since } = require('../versions.js');
const {
  IMPORTING,
  checkUsages,
  innerOf,
  needUsages,
  secretKey,
  slotsOf,
  useKey,
} = require('./key.js');
const { validate } = require('./normalize.js');

const CRYPT = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
const FAILED = 'The operation failed for an operation-specific reason';

const randomBytes = (length) => openssl.randomBytes(length);

function fromJwk(jwk, alg, extractable, usages) {
  checkJwk(jwk, 'oct', extractable, usages);
  const bytes = fromBase64Url(jwk.k);
  const expected = alg(bytes.length * 8);
  if (expected && jwk.alg !== undefined && jwk.alg !== expected) {
    throw dataError('JWK "alg" does not match the requested algorithm');
  }
  return bytes;
}

/** Zeros in the place of the last byte's bits that are not used. */
function clearAfter(bytes, bits) {
  const rest = bits % 8;
  if (rest > 0) bytes[bytes.length - 1] &= 0xff << (8 - rest);
}

// What Node calls a key of that algorithm.
function subjectOf(name) {
  if (since(24)) return name;
  return name.startsWith('AES') ? 'an AES' : `an ${name}`;
}

function noImport(name, format) {
  if (since(22)) {
    return notSupported(`Unable to import ${name} using ${format} format`);
  }
  const kind = name.startsWith('AES') ? 'AES' : name;
  const message = `Unable to import ${kind} key with format ${format}`;
  return name === 'HMAC'
    ? domException(message, undefined)
    : notSupported(message);
}

const RAW = ['raw', 'raw-secret'];

/**
 * Keys that are nothing but bytes.
 *
 * @param {(algorithm: object) => void} [before] what is looked at before the
 *   usages of a new key
 * @param {string[]} [raw] names of the form that is bytes
 */
function secretKeys({
  usages: allowed,
  describe,
  before = () => {},
  generate,
  alg,
  raw = RAW,
}) {
  return {
    generateKey(algorithm, extractable, usages) {
      before(algorithm);
      checkUsages(usages, allowed, false, subjectOf(algorithm.name));
      validate(algorithm);
      const bits = generate(algorithm);
      needUsages(usages);
      const bytes = randomBytes(Math.ceil(bits / 8));
      clearAfter(bytes, bits);
      const description = describe(algorithm, bytes.length * 8);
      return secretKey(description, bytes, extractable, usages);
    },
    importKey(format, data, algorithm, extractable, usages) {
      checkUsages(usages, allowed, false, subjectOf(algorithm.name));
      let bytes;
      if (format === 'jwk') {
        const name = (bits) => alg(describe(algorithm, bits, format));
        bytes = fromJwk(data, name, extractable, usages);
      } else if (raw.includes(format)) {
        bytes = bytesOf(data, 'importKey');
      } else {
        throw noImport(algorithm.name, format);
      }
      const { length, ...rest } = describe(algorithm, bytes.length * 8, format);
      // The order of members is to be seen.
      const description = since(24)
        ? { name: rest.name, length, ...rest }
        : { ...rest, length };
      clearAfter(bytes, length);
      needUsages(usages, IMPORTING);
      return secretKey(description, bytes, extractable, usages);
    },
    exportKey(format, key) {
      if (raw.includes(format)) return innerOf(key).slice().buffer;
      if (format !== 'jwk') {
        throw noExport(format, key);
      }
      const name = alg(slotsOf(key).algorithm);
      return {
        key_ops: slotsOf(key).usages,
        ext: slotsOf(key).extractable,
        ...(since(24) && name && { alg: name }),
        kty: 'oct',
        k: toBase64Url(innerOf(key)),
        ...(!since(24) && name && { alg: name }),
      };
    },
  };
}

const isAesLength = (length) => [128, 192, 256].includes(length);

const aesLength = (message) => (algorithm) => {
  if (isAesLength(algorithm.length)) return algorithm.length;
  throw operationError(message);
};
const WRONG_LENGTH = 'AES key length must be 128, 192, or 256 bits';
const newLength = aesLength(WRONG_LENGTH);

function aes(name, short, usages, raw = RAW) {
  const keys = secretKeys({
    usages,
    describe(_, bits) {
      if (isAesLength(bits)) return { name, length: bits };
      throw dataError('Invalid key length');
    },
    before: since(22) ? undefined : newLength,
    generate: newLength,
    alg: ({ length }) => `A${length}${short}`,
    raw,
  });
  const keyLength = aesLength(since(22) ? WRONG_LENGTH : 'Invalid key length');
  return { ...keys, keyLength };
}

function ivOf(iv, name, bytes) {
  if (iv.length === bytes) return iv;
  throw operationError(`algorithm.${name} must contain exactly ${bytes} bytes`);
}

/** All of `data` through one cipher. */
function through(state, data) {
  const body = openssl.cipherUpdate(state, data);
  const end = openssl.cipherFinal(state);
  if (end.length === 0) return body;
  return joined(body, end);
}

function joined(...parts) {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const nameOf = (secret, mode) => `aes-${secret.length * 8}-${mode}`;

/** encrypt and decrypt by `run(algorithm, secret, data, encrypts)`. */
function cipher(name, run) {
  const use = (usage) => (algorithm, key, data, as) => {
    const secret = useKey(key, name, as ?? usage);
    return run(algorithm, secret, data, usage === 'encrypt');
  };
  return { encrypt: use('encrypt'), decrypt: use('decrypt') };
}

const TAG_BITS = [32, 64, 96, 104, 112, 120, 128];

/** A mode that authenticates: the tag is behind the text. */
function sealed(name, { iv, additionalData }, size, secret, data, encrypts) {
  if (!encrypts && data.length < size) {
    if (!since(24)) throw operationError('The provided data is too small.');
    const cause = new Error('Cipher job failed');
    throw domException(FAILED, { name: 'OperationError', cause });
  }
  return attempt(FAILED, () => {
    const state = openssl.cipherNew(name, secret, iv, encrypts, size);
    const add = () => {
      if (additionalData !== undefined && additionalData.length > 0) {
        openssl.cipherAad(state, additionalData, data.length);
      }
    };
    if (encrypts) {
      add();
      const body = openssl.cipherUpdate(state, data);
      const end = openssl.cipherFinal(state);
      return joined(body, end, openssl.cipherTag(state));
    }
    const at = data.length - size;
    openssl.cipherSetTag(state, data.subarray(at));
    add();
    const body = openssl.cipherUpdate(state, data.subarray(0, at));
    return joined(body, openssl.cipherFinal(state));
  });
}

const GCM = {
  ...aes('AES-GCM', 'GCM', CRYPT),
  ...cipher('AES-GCM', (algorithm, secret, data, encrypts) => {
    const { tagLength = 128 } = algorithm;
    if (!TAG_BITS.includes(tagLength)) {
      throw operationError(`${tagLength} is not a valid AES-GCM tag length`);
    }
    const size = tagLength / 8;
    const name = nameOf(secret, 'gcm');
    return sealed(name, algorithm, size, secret, data, encrypts);
  }),
};

const CBC = {
  ...aes('AES-CBC', 'CBC', CRYPT),
  ...cipher('AES-CBC', ({ iv }, secret, data, encrypts) => {
    const start = ivOf(iv, 'iv', 16);
    return attempt(FAILED, () => {
      const name = nameOf(secret, 'cbc');
      return through(
        openssl.cipherNew(name, secret, start, encrypts, -1),
        data,
      );
    });
  }),
};

// Only the last `bits` of the 16 bytes are the counter; OpenSSL uses all.
function counted(secret, start, bits, data) {
  const ctr = (from, part) =>
    through(
      openssl.cipherNew(nameOf(secret, 'ctr'), secret, from, true, -1),
      part,
    );
  const hex = [...start].map((byte) => byte.toString(16).padStart(2, '0'));
  const first = BigInt.asUintN(bits, BigInt(`0x${hex.join('')}`));
  const all = 1n << BigInt(bits);
  const blocks = BigInt(Math.ceil(data.length / 16));
  if (blocks > all) throw operationError('More data than the counter counts');
  const left = all - first;
  if (blocks <= left) return ctr(start, data);
  const again = start.slice();
  for (let at = 15, rest = bits; rest > 0; at -= 1, rest -= 8) {
    again[at] &= rest >= 8 ? 0 : 0xff << rest;
  }
  const split = Number(left) * 16;
  return joined(
    ctr(start, data.subarray(0, split)),
    ctr(again, data.subarray(split)),
  );
}

const CTR = {
  ...aes('AES-CTR', 'CTR', CRYPT),
  ...cipher('AES-CTR', ({ counter, length }, secret, data) => {
    if (!(length > 0 && length <= 128)) {
      throw operationError(
        'AES-CTR algorithm.length must be between 1 and 128',
      );
    }
    const start = ivOf(counter, 'counter', 16);
    return attempt(FAILED, () => counted(secret, start, length, data));
  }),
};

const KW_START = new Uint8Array(8).fill(0xa6);

function wrapped(secret, data, encrypts) {
  return attempt(FAILED, () => {
    const name = `id-aes${secret.length * 8}-wrap`;
    const state = openssl.cipherNew(name, secret, KW_START, encrypts, -1);
    return openssl.cipherUpdate(state, data);
  });
}

const KW = {
  ...aes('AES-KW', 'KW', ['wrapKey', 'unwrapKey']),
  wrap: (_, key, data) => wrapped(useKey(key, 'AES-KW', 'wrapKey'), data, true),
  unwrap: (_, key, data) =>
    wrapped(useKey(key, 'AES-KW', 'unwrapKey'), data, false),
};

module.exports = {
  FAILED,
  aes,
  algorithms: {
    'AES-GCM': GCM,
    'AES-CBC': CBC,
    'AES-CTR': CTR,
    'AES-KW': KW,
  },
  sealed,
  secretKeys,
};
