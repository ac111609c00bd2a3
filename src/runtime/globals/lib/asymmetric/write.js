'use strict';

// Public and private keys to PEM, DER and JWK.

const { toBase64Url } = require('../subtle/common.js');
const der = require('../subtle/der.js');
const { incompatible, invalidValue } = require('./errors.js');
const { isPrivate, kindOf, rsaKeys } = require('./material.js');
const pem = require('./pem.js');

const { element } = der;

function jwkOf(material) {
  if (material.kind === 'rsa') return rsaKeys().writeJwk(material.numbers);
  const kind = kindOf(material);
  const [x, y] = kind.split(material.point);
  return {
    crv: kind.crv,
    ...(material.secret && { d: toBase64Url(material.secret) }),
    x: toBase64Url(x),
    ...(y && { y: toBase64Url(y) }),
    kty: kind.kty,
  };
}

function toPkcs8({ kind, curve, numbers, secret, point }) {
  if (kind === 'rsa') return rsaKeys().writePkcs8(numbers);
  const { oids, isEc } = kindOf({ kind, curve });
  return der.writePkcs8(oids, secret, isEc ? point : undefined);
}

function toSpki({ kind, curve, numbers, point }) {
  if (kind === 'rsa') return rsaKeys().writeSpki(numbers);
  return der.writeSpki(kindOf({ kind, curve }).oids, point);
}

function toPkcs1({ kind, numbers }) {
  if (kind === 'rsa') return rsaKeys().writePkcs1(numbers);
  throw incompatible(
    'The selected key encoding pkcs1 can only be used for RSA keys.',
  );
}

function toSec1({ kind, curve, secret, point }) {
  if (kind !== 'ec') {
    throw incompatible(
      'The selected key encoding sec1 can only be used for EC keys.',
    );
  }
  const { oids } = kindOf({ kind, curve });
  return Uint8Array.from(
    element(
      der.SEQUENCE,
      element(der.INTEGER, [1]),
      element(der.OCTET_STRING, secret),
      element(der.CURVE_PART, element(der.OBJECT_ID, oids[1])),
      element(der.PUBLIC_PART, element(der.BIT_STRING, [0], point)),
    ),
  );
}

const WRITERS = {
  public: {
    __proto__: null,
    pkcs1: ['RSA PUBLIC KEY', toPkcs1],
    spki: ['PUBLIC KEY', toSpki],
  },
  private: {
    __proto__: null,
    pkcs1: ['RSA PRIVATE KEY', toPkcs1],
    pkcs8: ['PRIVATE KEY', toPkcs8],
    sec1: ['EC PRIVATE KEY', toSec1],
  },
};

/** @returns {object | string | Uint8Array} JWK, PEM or DER */
function write(material, { format, type } = {}) {
  if (format === 'jwk') return jwkOf(material);
  if (format !== 'pem' && format !== 'der') {
    throw invalidValue('options.format', format);
  }
  const writer = WRITERS[isPrivate(material) ? 'private' : 'public'][type];
  if (!writer) throw invalidValue('options.type', type);
  const [label, encode] = writer;
  const bytes = encode(material);
  return format === 'der' ? bytes : pem.write(label, bytes);
}

module.exports = { write };
