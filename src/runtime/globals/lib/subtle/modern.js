'use strict';

// Algorithms of the proposal "Modern Algorithms in the Web Cryptography API"
// that Node has since 24.7: lattices, KMAC, more ciphers.

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
const { pure } = require('./curves.js');
const { noExport, readDer } = require('./der-forms.js');
const { ARGON2, argon2 } = require('./derived.js');
const {
  asymmetricKey,
  checkUsages,
  innerOf,
  needPrivateUsages,
  needUsages,
  pairOf,
  slotsOf,
  usageCheck,
  useHalf,
  useKey,
} = require('./key.js');
const { bitsGiven } = require('./hmac.js');
const { aes, sealed, secretKeys } = require('./symmetric.js');
const { since, sinceLate24 } = require('../versions.js');

const FAILED = 'The operation failed for an operation-specific reason';
const BYTES = 1;
// The last part of the object identifier's arc, and the length of the seed.
const LATTICES = {
  'ML-DSA-44': { arc: [3, 0x11], seed: 32 },
  'ML-DSA-65': { arc: [3, 0x12], seed: 32 },
  'ML-DSA-87': { arc: [3, 0x13], seed: 32 },
  'ML-KEM-512': { arc: [4, 1], seed: 64 },
  'ML-KEM-768': { arc: [4, 2], seed: 64 },
  'ML-KEM-1024': { arc: [4, 3], seed: 64 },
};
const NIST_ALGORITHMS = [0x60, 0x86, 0x48, 1, 0x65, 3, 4];

/** PKCS #8 with the seed alone. */
function writePkcs8(name, seed) {
  const { arc } = LATTICES[name];
  const oid = [6, 9, ...NIST_ALGORITHMS, ...arc];
  const inner = [0x80, seed.length, ...seed];
  const body = [2, 1, 0, 0x30, oid.length, ...oid, 4, inner.length, ...inner];
  return Uint8Array.from([0x30, body.length, ...body]).buffer;
}

const fromSeed = (name, seed) =>
  openssl.keyMake(name, true, ['seed', BYTES, seed]);
const fromPublic = (name, bytes) => openssl.keyFromRaw(name, bytes, false);

function needMade(handle) {
  if (handle === undefined) throw dataError('Invalid keyData');
  return handle;
}

function readJwk(jwk, name, extractable, usages, check) {
  check(jwk.priv !== undefined);
  checkJwk(jwk, 'AKP', extractable, usages);
  if (jwk.alg !== name) {
    throw dataError('JWK "alg" Parameter and algorithm name mismatch');
  }
  const open = fromBase64Url(jwk.pub);
  if (jwk.priv === undefined) {
    return ['public', needMade(fromPublic(name, open))];
  }
  const seed = fromBase64Url(jwk.priv);
  const handle = needMade(fromSeed(name, seed));
  const own = openssl.keyRaw(handle, false);
  if (openssl.timingSafeEqual(own, open) !== true) {
    throw dataError('Invalid keyData');
  }
  return ['private', handle];
}

function readKey(format, data, name, extractable, usages, check) {
  if (format === 'jwk') {
    return readJwk(data, name, extractable, usages, check);
  }
  const bytes = bytesOf(data, 'importKey');
  if (format === 'raw-public') {
    check(false);
    return ['public', needMade(fromPublic(name, bytes))];
  }
  if (format === 'raw-seed') {
    check(true);
    if (bytes.length !== LATTICES[name].seed) {
      throw dataError('Invalid keyData');
    }
    return ['private', needMade(fromSeed(name, bytes))];
  }
  const read = readDer(format, bytes, [name.toLowerCase()], check);
  if (read === undefined) {
    throw notSupported(`Unable to import ${name} using ${format} format`);
  }
  if (format === 'pkcs8' && openssl.keyOctets(read[1], 'seed') === undefined) {
    throw notSupported(
      `Importing an ${name.slice(0, 6)} PKCS#8 key without a seed is not supported`,
    );
  }
  return read;
}

const wrongType = (key, format) =>
  domException(
    `Unable to export ${slotsOf(key).algorithm.name} ${key.type} key using ${format} format`,
    'InvalidAccessError',
  );

function exportKey(format, key) {
  const { name } = slotsOf(key).algorithm;
  const handle = innerOf(key);
  const isPrivate = key.type === 'private';
  const seed = () => {
    const found = openssl.keyOctets(handle, 'seed');
    if (found === undefined) throw operationError('The key has no seed');
    return found;
  };
  const open = () => openssl.keyRaw(handle, false);
  if (format === 'jwk') {
    return {
      key_ops: slotsOf(key).usages,
      ext: slotsOf(key).extractable,
      kty: 'AKP',
      alg: name,
      pub: toBase64Url(open()),
      ...(isPrivate && { priv: toBase64Url(seed()) }),
    };
  }
  const known = ['raw-public', 'raw-seed', 'pkcs8', 'spki'];
  if (!known.includes(format)) {
    throw notSupported(
      `Unable to export ${name} ${key.type} key using ${format} format`,
    );
  }
  if ((format === 'pkcs8' || format === 'raw-seed') !== isPrivate) {
    throw sinceLate24() ? noExport(format, key) : wrongType(key, format);
  }
  if (format === 'raw-public') return open().buffer;
  if (format === 'raw-seed') return seed().buffer;
  if (format === 'pkcs8') return writePkcs8(name, seed());
  return openssl.keyWrite(handle, false, 0, 1).buffer;
}

function lattice(name, privateUsages, publicUsages) {
  const subject = sinceLate24() ? name : `an ${name.slice(0, 6)}`;
  return {
    publicUsages,
    generateKey(_, extractable, usages) {
      const all = [...privateUsages, ...publicUsages];
      checkUsages(usages, all, false, subject);
      const allowed = (list) => usages.filter((usage) => list.includes(usage));
      needUsages(allowed(privateUsages));
      const handle = attempt(FAILED, () => openssl.generateKey(name));
      const make = (type, may, list) =>
        asymmetricKey(type, { name }, handle, may, list);
      return pairOf(
        make('private', extractable, allowed(privateUsages)),
        make('public', true, allowed(publicUsages)),
      );
    },
    importKey(format, data, _, extractable, usages) {
      const [type, handle] = readKey(
        format,
        data,
        name,
        extractable,
        usages,
        usageCheck(usages, privateUsages, publicUsages, subject),
      );
      if (type === 'private') needPrivateUsages(usages);
      return asymmetricKey(type, { name }, handle, extractable, usages);
    },
    exportKey,
  };
}

const signing = (name) => pure(name, lattice(name, ['sign'], ['verify']));

function kem(name) {
  const keys = lattice(
    name,
    ['decapsulateKey', 'decapsulateBits'],
    ['encapsulateKey', 'encapsulateBits'],
  );
  return {
    ...keys,
    encapsulate(_, key, usage) {
      const handle = useHalf(key, name, usage, 'public');
      return attempt(FAILED, () => openssl.encapsulate(handle));
    },
    decapsulate(_, key, data, usage) {
      const handle = useHalf(key, name, usage, 'private');
      return attempt(FAILED, () => openssl.decapsulate(handle, data));
    },
  };
}

// Bytes of these keys are `raw-secret`, no longer `raw`.
const RAW = ['raw-secret'];
const CRYPT = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];

function seal(name, cipherName, checkTag) {
  const run = (usage) => (algorithm, key, data, as) => {
    const secret = useKey(key, name, as ?? usage);
    const { iv, tagLength = 128 } = algorithm;
    checkTag(tagLength, iv);
    const size = tagLength / 8;
    const cipher = cipherName(secret);
    return sealed(cipher, algorithm, size, secret, data, usage === 'encrypt');
  };
  return { encrypt: run('encrypt'), decrypt: run('decrypt') };
}

const CHACHA = 'ChaCha20-Poly1305';
const chacha = {
  ...secretKeys({
    usages: CRYPT,
    describe(_, bits) {
      if (bits === 256) return { name: CHACHA };
      throw dataError('Invalid key length');
    },
    generate: () => 256,
    alg: () => 'C20P',
    raw: RAW,
  }),
  keyLength: () => 256,
  ...seal(
    CHACHA,
    () => 'chacha20-poly1305',
    (tagLength, iv) => {
      if (tagLength !== 128) {
        throw operationError(
          `${tagLength} is not a valid ${CHACHA} tag length`,
        );
      }
      if (iv.length !== 12) throw operationError('iv has 12 bytes');
    },
  ),
};

const ocb = {
  ...aes('AES-OCB', 'OCB', CRYPT, RAW),
  ...seal(
    'AES-OCB',
    (secret) => `aes-${secret.length * 8}-ocb`,
    (tagLength) => {
      if (![64, 96, 128].includes(tagLength)) {
        throw operationError(`${tagLength} is not a valid AES-OCB tag length`);
      }
    },
  ),
};

function needMacLength(length) {
  if (!since(26) || (length >= 32 && length % 8 === 0)) return length;
  throw notSupported('Invalid key length');
}

const kmacKeys = (name, bits) =>
  secretKeys({
    usages: ['sign', 'verify'],
    describe: ({ length }, own) => ({
      name,
      length: needMacLength(bitsGiven(length, own)),
    }),
    generate: ({ length = bits }) => length,
    alg: () => `K${bits}`,
    raw: RAW,
  });

function kmac(name, bits) {
  const tagOf = ({ outputLength, customization }, key, usage, data) => {
    const secret = useKey(key, name, usage);
    return attempt(FAILED, () =>
      openssl.kmac(name, secret, data, outputLength / 8, customization),
    );
  };
  return {
    ...kmacKeys(name, bits),
    keyLength: ({ length = bits }) => length,
    sign: (parameters, key, data) => tagOf(parameters, key, 'sign', data),
    verify(parameters, key, signature, data) {
      const tag = tagOf(parameters, key, 'verify', data);
      return openssl.timingSafeEqual(tag, signature) ?? false;
    },
  };
}

const algorithms = {
  'AES-OCB': ocb,
  [CHACHA]: chacha,
  KMAC128: kmac('KMAC128', 128),
  KMAC256: kmac('KMAC256', 256),
};
for (const name of ARGON2) {
  algorithms[name] = argon2(name);
}
for (const name of Object.keys(LATTICES)) {
  algorithms[name] = name.startsWith('ML-DSA') ? signing(name) : kem(name);
}

module.exports = { algorithms };
