'use strict';

// RSA, of crypto.subtle.

const { exportJwk, importJwk } = require('../crypto/jwk.js');
const { openssl } = require('../crypto/natives.js');
const { since } = require('../versions.js');
const {
  attempt,
  bytesOf,
  checkJwk,
  dataError,
  hashId,
  hashName,
  notSupported,
  operationError,
} = require('./common.js');
const { readDer, shared, writeDer } = require('./der-forms.js');
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
} = require('./key.js');

const MIN_BITS = 256;
const Padding = { Pkcs1: 1, Oaep: 4, Pss: 6 };

const JWK_PREFIXES = {
  'RSASSA-PKCS1-v1_5': 'RS',
  'RSA-PSS': 'PS',
  'RSA-OAEP': 'RSA-OAEP-',
};

/** The algorithm's name in a JWK; undefined where none is registered. */
function jwkName(name, hash) {
  if (!hash.startsWith('SHA-')) return undefined;
  if (name === 'RSA-OAEP' && hash === 'SHA-1') return name;
  return JWK_PREFIXES[name] + hash.slice('SHA-'.length);
}

const describe = (name, hash, handle) => ({
  name,
  modulusLength: openssl.keyBits(handle),
  publicExponent: new Uint8Array(openssl.keyNumber(handle, 'e')),
  hash: { name: hash },
});

// Node 20 compares the hash alone.
const hashIn = (alg) => {
  const [, bits] = /^(?:RS|PS|RSA-OAEP-)(256|384|512)$/.exec(alg) ?? [];
  if (bits !== undefined) return `SHA-${bits}`;
  return ['RS1', 'PS1', 'RSA-OAEP'].includes(alg) ? 'SHA-1' : undefined;
};

function isOther(alg, name, hash) {
  if (!since(22)) return hashIn(alg) !== hash;
  const expected = jwkName(name, hash);
  return expected !== undefined && alg !== expected;
}

function readJwk(jwk, name, hash, extractable, usages, check) {
  const isPublic = jwk.d === undefined;
  if (since(24)) check(!isPublic);
  checkJwk(jwk, 'RSA', extractable, usages, () => check(!isPublic));
  if (jwk.alg !== undefined && isOther(jwk.alg, name, hash)) {
    throw dataError('JWK "alg" does not match the requested algorithm');
  }
  return [
    isPublic ? 'public' : 'private',
    shared.jwk(importJwk, jwk, isPublic),
  ];
}

function readKey(format, data, name, hash, extractable, usages, check) {
  if (format === 'jwk') {
    return readJwk(data, name, hash, extractable, usages, check);
  }
  const read = readDer(format, bytesOf(data, 'importKey'), ['rsa'], check);
  if (read !== undefined) return read;
  throw notSupported(
    since(22)
      ? `Unable to import ${name} using ${format} format`
      : `Unable to import RSA key with format ${format}`,
  );
}

function exponentOf(bytes) {
  let value = 0;
  for (const byte of bytes) value = value * 256 + byte;
  return value;
}

function keysOf(name, privateUsages, publicUsages) {
  return {
    publicUsages,
    generateKey(algorithm, extractable, usages) {
      const hash = hashName(algorithm.hash);
      checkUsages(
        usages,
        [...privateUsages, ...publicUsages],
        false,
        since(24) ? name : 'a RSA',
      );
      const allowed = (list) => usages.filter((usage) => list.includes(usage));
      const { modulusLength, publicExponent } = algorithm;
      const exponent = exponentOf(publicExponent);
      const isOdd = exponent >= 3 && exponent % 2 === 1;
      if (!isOdd || exponent > 0xffff_ffff || modulusLength < MIN_BITS) {
        throw operationError('Invalid RSA parameters');
      }
      needUsages(allowed(privateUsages));
      const handle = attempt(FAILED, () =>
        openssl.generateRsa(modulusLength, exponent, false),
      );
      const make = (type, list) => {
        const may = type === 'public' || extractable;
        const shown = describe(name, hash, handle);
        return asymmetricKey(type, shown, handle, may, list);
      };
      return pairOf(
        make('private', allowed(privateUsages)),
        make('public', allowed(publicUsages)),
      );
    },

    importKey(format, data, algorithm, extractable, usages) {
      const hash = hashName(algorithm.hash);
      const check = usageCheck(
        usages,
        privateUsages,
        publicUsages,
        since(24) ? name : `an ${name}`,
      );
      const [type, handle] = readKey(
        format,
        data,
        name,
        hash,
        extractable,
        usages,
        check,
      );
      if (type === 'private') needPrivateUsages(usages);
      const shown = describe(name, hash, handle);
      return asymmetricKey(type, shown, handle, extractable, usages);
    },

    exportKey(format, key) {
      const handle = innerOf(key);
      if (format === 'jwk') {
        const alg = jwkName(name, slotsOf(key).algorithm.hash.name);
        return {
          key_ops: slotsOf(key).usages,
          ext: slotsOf(key).extractable,
          ...(since(24) && alg && { alg }),
          ...exportJwk(handle, key.type === 'private'),
          ...(!since(24) && alg && { alg }),
        };
      }
      return writeDer(format, key, handle);
    },
  };
}

const FAILED = 'The operation failed for an operation-specific reason';

/** sign and verify with a padding. */
function signing(name, padding) {
  const scheme = (key, parameters) => [
    hashId(slotsOf(key).algorithm.hash.name),
    padding,
    parameters.saltLength,
  ];
  return {
    ...keysOf(name, ['sign'], ['verify']),
    sign(parameters, key, data) {
      const handle = useHalf(key, name, 'sign', 'private');
      const [id, pad, salt] = scheme(key, parameters);
      return attempt(FAILED, () => openssl.sign(id, handle, data, pad, salt));
    },
    verify(parameters, key, signature, data) {
      const handle = useHalf(key, name, 'verify', 'public');
      const [id, pad, salt] = scheme(key, parameters);
      return attempt(FAILED, () =>
        openssl.verify(id, handle, data, signature, pad, salt),
      );
    },
  };
}

const OAEP = 'RSA-OAEP';

function crypt(operation, usage, type) {
  return ({ label }, key, data, as = usage) => {
    const handle = useHalf(key, OAEP, as, type);
    const id = hashId(slotsOf(key).algorithm.hash.name);
    return attempt(FAILED, () =>
      openssl.crypt(operation, handle, data, Padding.Oaep, id, label, true),
    );
  };
}

module.exports = {
  'RSASSA-PKCS1-v1_5': signing('RSASSA-PKCS1-v1_5', Padding.Pkcs1),
  'RSA-PSS': signing('RSA-PSS', Padding.Pss),
  'RSA-OAEP': {
    ...keysOf(OAEP, ['decrypt', 'unwrapKey'], ['encrypt', 'wrapKey']),
    encrypt: crypt(0, 'encrypt', 'public'),
    decrypt: crypt(1, 'decrypt', 'private'),
  },
};
