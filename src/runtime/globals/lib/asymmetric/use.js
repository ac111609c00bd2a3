'use strict';

// Operations of node:crypto with public and private keys.

const { nodeError } = require('../node-error.js');
const { invalidValue } = require('./errors.js');
const { kindOf, namedCurve, onCurve } = require('./material.js');

const { findHash } = require('sw:hashes');

const PADDING = { none: 3, pkcs1: 1, oaep: 4, pss: 6 };
const SALT = { digest: -1, auto: -2 };

const rsa = () => require('sw:rsa');
const curves = () => require('sw:curves');

const failed = (message) =>
  nodeError(Error, 'ERR_CRYPTO_OPERATION_FAILED', message);

function rsaScheme(numbers, hash, { padding = PADDING.pkcs1, saltLength }) {
  const { schemes } = rsa();
  if (padding === PADDING.pkcs1) {
    const scheme = schemes.pkcs1(hash);
    if (scheme) return scheme;
    throw failed(`RSA signatures with ${hash} are not offered`);
  }
  if (padding !== PADDING.pss) throw invalidValue('options.padding', padding);
  const any = saltLength === undefined || saltLength === SALT.auto;
  if (any) {
    return {
      sign: (key, data) =>
        schemes.pss(hash, schemes.maxSalt(numbers, hash)).sign(key, data),
      verify: (_, data, signature) =>
        schemes.verifyAnySalt(numbers, hash, data, signature),
    };
  }
  const size =
    saltLength === SALT.digest ? findHash(hash).outputLen : saltLength;
  return schemes.pss(hash, size);
}

const ecOptions = ({ dsaEncoding = 'der' }) => ({
  prehash: false,
  lowS: false,
  format: dsaEncoding === 'ieee-p1363' ? 'compact' : 'der',
});

// Without a hash node takes the key's own: SHA-256.
const hashOf = (name) => name ?? 'sha256';

const SIGNERS = {
  rsa: {
    sign: ({ numbers }, hash, data, options) =>
      rsaScheme(numbers, hashOf(hash), options).sign(numbers, data),
    verify: ({ numbers }, hash, data, signature, options) =>
      rsaScheme(numbers, hashOf(hash), options).verify(
        numbers,
        data,
        signature,
      ),
  },
  ec: {
    sign: ({ curve, secret }, hash, data, options) =>
      curves()
        .curveOf(curve)
        .curve.sign(findHash(hashOf(hash))(data), secret, ecOptions(options)),
    verify: ({ curve, point }, hash, data, signature, options) =>
      curves()
        .curveOf(curve)
        .curve.verify(
          signature,
          findHash(hashOf(hash))(data),
          point,
          ecOptions(options),
        ),
  },
  ed25519: {
    sign: ({ secret }, _, data) => curves().ed25519.sign(data, secret),
    verify: ({ point }, _, data, signature) =>
      curves().ed25519.verify(signature, data, point),
  },
};

function signerOf({ kind }) {
  const signer = SIGNERS[kind];
  if (signer) return signer;
  throw nodeError(
    Error,
    'ERR_OSSL_EVP_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE',
    'error:03000096:digital envelope routines::operation not supported for this keytype',
  );
}

function sign(material, hash, data, options) {
  const signer = signerOf(material);
  try {
    return signer.sign(material, hash, data, options);
  } catch (error) {
    if (error.code !== undefined) throw error;
    throw failed(`Signing failed: ${error.message}`);
  }
}

function verify(material, hash, data, signature, options) {
  const signer = signerOf(material);
  try {
    return signer.verify(material, hash, data, signature, options);
  } catch (error) {
    if (error.code !== undefined) throw error;
    return false;
  }
}

function cipherOf(
  { kind },
  { padding = PADDING.oaep, oaepHash = 'sha1', oaepLabel },
) {
  if (kind !== 'rsa') throw failed('Only RSA keys encrypt');
  const { schemes } = rsa();
  if (padding === PADDING.pkcs1) return schemes.pkcs1Encryption;
  if (padding === PADDING.oaep) return schemes.oaep(oaepHash, oaepLabel);
  throw invalidValue('options.padding', padding);
}

function encrypt(material, data, options) {
  const cipher = cipherOf(material, options);
  try {
    return cipher.encrypt(material.numbers, data);
  } catch (error) {
    throw failed(`Encryption failed: ${error.message}`);
  }
}

function decrypt(material, data, options) {
  const cipher = cipherOf(material, options);
  try {
    return cipher.decrypt(material.numbers, data);
  } catch {
    // The error does not name the check that failed, because that would help a
    // padding oracle attack.
    throw nodeError(
      Error,
      'ERR_OSSL_RSA_OAEP_DECODING_ERROR',
      'error:02000079:rsa routines::oaep decoding error',
    );
  }
}

/** The private material of a new pair. */
function generate(type, options = {}) {
  if (type === 'rsa') {
    const { modulusLength, publicExponent = 65_537 } = options;
    try {
      const numbers = rsa().schemes.generate(
        modulusLength,
        BigInt(publicExponent),
      );
      return { kind: 'rsa', numbers };
    } catch (error) {
      throw failed(`Key generation failed: ${error.message}`);
    }
  }
  const curve = type === 'ec' ? namedCurve(options.namedCurve) : undefined;
  if (type !== 'ec' && type !== 'ed25519' && type !== 'x25519') {
    throw nodeError(
      TypeError,
      'ERR_INVALID_ARG_VALUE',
      `The argument 'type' must be a supported key type. Received '${type}'`,
    );
  }
  const secret = kindOf({ kind: type, curve }).generate();
  return onCurve(type, curve, { secret });
}

/** The shared secret of two keys on one curve. */
function agree(own, other) {
  if (own.kind !== other.kind || own.curve !== other.curve) {
    throw nodeError(
      Error,
      'ERR_CRYPTO_INCOMPATIBLE_KEY',
      `Incompatible key types for Diffie-Hellman: ${own.kind} and ${other.kind}`,
    );
  }
  if (own.kind === 'x25519') {
    return curves().x25519.getSharedSecret(own.secret, other.point);
  }
  const { curve } = curves().curveOf(own.curve);
  return curve.getSharedSecret(own.secret, other.point, true).slice(1);
}

module.exports = {
  PADDING,
  SALT,
  agree,
  decrypt,
  encrypt,
  generate,
  sign,
  verify,
};
