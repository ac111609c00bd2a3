'use strict';

// RSA, of crypto.subtle and node:crypto; apart from the rest because it is
// large.

const {
  attempt,
  bytesOf,
  checkJwk,
  dataError,
  hashName,
  notSupported,
  operationError,
} = require('../lib/subtle/common.js');
const keys = require('../lib/subtle/rsa-key.js');
const schemes = require('../lib/rsa-schemes.js');

const { bytesIn, checkUsages, domException, makeKey, useKey } =
  require('sw:subtle').shared;

// Suffix of the algorithm's name in a JWK, by hash.
const SIZES = {
  'SHA-1': '1',
  'SHA-256': '256',
  'SHA-384': '384',
  'SHA-512': '512',
};
const JWK_NAMES = {
  'RSASSA-PKCS1-v1_5': (hash) => `RS${SIZES[hash]}`,
  'RSA-PSS': (hash) => `PS${SIZES[hash]}`,
  'RSA-OAEP': (hash) =>
    hash === 'SHA-1' ? 'RSA-OAEP' : `RSA-OAEP-${SIZES[hash]}`,
};

const MIN_BITS = 256;

function describe(name, hash, numbers) {
  return {
    name,
    modulusLength: keys.bitsOf(numbers.n),
    publicExponent: keys.toBytes(numbers.e),
    hash: { name: hash },
  };
}

function readJwk(jwk, name, hash, extractable, usages) {
  checkJwk(jwk, 'RSA', extractable, usages);
  if (jwk.alg !== undefined && jwk.alg !== JWK_NAMES[name](hash)) {
    throw dataError('JWK: "alg" does not fit');
  }
  return keys.readJwk(jwk);
}

function readKey(format, data, name, hash, extractable, usages) {
  if (format === 'jwk') return readJwk(data, name, hash, extractable, usages);
  if (format === 'spki') return keys.readSpki(bytesOf(data, 'importKey'));
  if (format === 'pkcs8') return keys.readPkcs8(bytesOf(data, 'importKey'));
  throw notSupported(`There is no format ${format}`);
}

// A function that makes the numbers, which takes long.
function generator({ modulusLength, publicExponent }) {
  const e = keys.toNumber(publicExponent);
  const message = `No RSA keys of ${modulusLength} bits with this exponent`;
  if (e < 3n || e % 2n === 0n || modulusLength < MIN_BITS) {
    throw operationError(message);
  }
  return () => attempt(message, () => schemes.generate(modulusLength, e));
}

function keysOf(name, privateUsages, publicUsages) {
  return {
    generateKey(algorithm, extractable, usages) {
      const hash = hashName(algorithm.hash);
      checkUsages(usages, [...privateUsages, ...publicUsages], false);
      const allowed = (list) => usages.filter((usage) => list.includes(usage));
      const generate = generator(algorithm);
      if (allowed(privateUsages).length === 0) {
        throw domException('Usages cannot be empty', 'SyntaxError');
      }
      const numbers = generate();
      const make = (type, part, list) =>
        makeKey(type, describe(name, hash, part), part, extractable, list);
      return {
        publicKey: make(
          'public',
          keys.publicPart(numbers),
          allowed(publicUsages),
        ),
        privateKey: make('private', numbers, allowed(privateUsages)),
      };
    },

    importKey(format, data, algorithm, extractable, usages) {
      const hash = hashName(algorithm.hash);
      const numbers = readKey(format, data, name, hash, extractable, usages);
      const secret = keys.isPrivate(numbers);
      checkUsages(usages, secret ? privateUsages : publicUsages, secret);
      const shown = describe(name, hash, numbers);
      const type = secret ? 'private' : 'public';
      return makeKey(type, shown, numbers, extractable, usages);
    },

    exportKey(format, key) {
      const numbers = bytesIn(key);
      if (format === 'jwk') {
        return {
          key_ops: key.usages,
          ext: key.extractable,
          ...keys.writeJwk(numbers),
          alg: JWK_NAMES[name](key.algorithm.hash.name),
        };
      }
      if (format === 'spki' && key.type === 'public') {
        return keys.writeSpki(numbers).buffer;
      }
      if (format === 'pkcs8' && key.type === 'private') {
        return keys.writePkcs8(numbers).buffer;
      }
      throw domException(
        `A ${key.type} key has no format ${format}`,
        format === 'spki' || format === 'pkcs8'
          ? 'InvalidAccessError'
          : 'NotSupportedError',
      );
    },
  };
}

function use(key, name, usage, type) {
  const numbers = useKey(key, name, usage);
  if (key.type === type) return [numbers, key.algorithm.hash.name];
  throw domException(`Not a ${type} key`, 'InvalidAccessError');
}

/** sign and verify with `schemeOf(hash, parameters)`. */
function signing(name, schemeOf) {
  return {
    ...keysOf(name, ['sign'], ['verify']),
    sign(parameters, key, data) {
      const [numbers, hash] = use(key, name, 'sign', 'private');
      const scheme = schemeOf(hash, parameters);
      return attempt('The key is too small', () => scheme.sign(numbers, data));
    },
    verify(parameters, key, signature, data) {
      const [numbers, hash] = use(key, name, 'verify', 'public');
      const scheme = schemeOf(hash, parameters);
      try {
        return scheme.verify(numbers, data, signature);
      } catch {
        return false;
      }
    },
  };
}

const labelOf = ({ label = new Uint8Array(0) }) => label;

const OAEP = 'RSA-OAEP';

const encryption = {
  ...keysOf(OAEP, ['decrypt', 'unwrapKey'], ['encrypt', 'wrapKey']),
  encrypt(parameters, key, data, usage = 'encrypt') {
    const [numbers, hash] = use(key, OAEP, usage, 'public');
    const scheme = schemes.oaep(hash, labelOf(parameters));
    return attempt('Too much data for this key', () =>
      scheme.encrypt(numbers, data),
    );
  },
  decrypt(parameters, key, data, usage = 'decrypt') {
    const [numbers, hash] = use(key, OAEP, usage, 'private');
    const scheme = schemes.oaep(hash, labelOf(parameters));
    try {
      return scheme.decrypt(numbers, data);
    } catch {
      throw operationError('The operation failed');
    }
  },
};

module.exports = {
  'RSASSA-PKCS1-v1_5': signing('RSASSA-PKCS1-v1_5', schemes.pkcs1),
  'RSA-PSS': signing('RSA-PSS', (hash, parameters) =>
    schemes.pss(hash, parameters.saltLength),
  ),
  'RSA-OAEP': encryption,
  keys,
  schemes,
};
