'use strict';

// Public and private keys from PEM, DER and JWK.

const { fromBase64Url } = require('../subtle/common.js');
const der = require('../subtle/der.js');
const { invalidValue, unreadable } = require('./errors.js');
const { curves, kindOf, onCurve, rsaKeys } = require('./material.js');
const pem = require('./pem.js');

const { element, elementsIn, partOf } = der;

const RSA = '42,134,72,134,247,13,1,1,1';
const EC = '42,134,72,206,61,2,1';
const KINDS = {
  __proto__: null,
  [RSA]: 'rsa',
  [EC]: 'ec',
  '43,101,110': 'x25519',
  '43,101,112': 'ed25519',
};
const CURVES = {
  __proto__: null,
  '42,134,72,206,61,3,1,7': 'P-256',
  '43,129,4,0,34': 'P-384',
  '43,129,4,0,35': 'P-521',
};

function curveOf(oid) {
  const curve = CURVES[`${[...oid]}`];
  if (curve) return curve;
  throw unreadable();
}

/** [kind, curve] of an AlgorithmIdentifier. */
function algorithmIn(bytes) {
  const [oid, parameter] = elementsIn(bytes);
  const kind = KINDS[`${[...oid.body]}`];
  if (kind === undefined) throw unreadable();
  return [kind, kind === 'ec' ? curveOf(parameter.body) : undefined];
}

function fromSpki(bytes) {
  const [kind, curve] = algorithmIn(
    partOf(bytes, [0, der.SEQUENCE], [0, der.SEQUENCE]),
  );
  if (kind === 'rsa') return { kind, numbers: rsaKeys().readSpki(bytes) };
  const bits = partOf(bytes, [0, der.SEQUENCE], [1, der.BIT_STRING]);
  return onCurve(kind, curve, { point: bits.slice(1) });
}

function fromPkcs8(bytes) {
  const [kind, curve] = algorithmIn(
    partOf(bytes, [0, der.SEQUENCE], [1, der.SEQUENCE]),
  );
  if (kind === 'rsa') return { kind, numbers: rsaKeys().readPkcs8(bytes) };
  const inner = partOf(bytes, [0, der.SEQUENCE], [2, der.OCTET_STRING]);
  const secret =
    kind === 'ec'
      ? partOf(inner, [0, der.SEQUENCE], [1, der.OCTET_STRING])
      : partOf(inner, [0, der.OCTET_STRING]);
  return onCurve(kind, curve, { secret: secret.slice() });
}

function fromSec1(bytes) {
  const oid = partOf(
    bytes,
    [0, der.SEQUENCE],
    [2, der.CURVE_PART],
    [0, der.OBJECT_ID],
  );
  const secret = partOf(bytes, [0, der.SEQUENCE], [1, der.OCTET_STRING]);
  return onCurve('ec', curveOf(oid), { secret: secret.slice() });
}

/**
 * The public key of a certificate. The certificate's signature is not checked.
 */
function fromCertificate(bytes) {
  const body = partOf(bytes, [0, der.SEQUENCE], [0, der.SEQUENCE]);
  const parts = elementsIn(body);
  // Before the version was a field there was none.
  const at = parts[0].tag === der.CURVE_PART ? 6 : 5;
  return fromSpki(
    Uint8Array.from(element(der.SEQUENCE, parts[at]?.body ?? [])),
  );
}

const ofRsa = (form) => (bytes) => ({
  kind: 'rsa',
  numbers: rsaKeys().readPkcs1[form](bytes),
});

const PRIVATE_BLOCKS = {
  __proto__: null,
  'PRIVATE KEY': fromPkcs8,
  'RSA PRIVATE KEY': ofRsa('private'),
  'EC PRIVATE KEY': fromSec1,
};
const PUBLIC_BLOCKS = {
  __proto__: null,
  'PUBLIC KEY': fromSpki,
  'RSA PUBLIC KEY': ofRsa('public'),
  CERTIFICATE: fromCertificate,
  'X509 CERTIFICATE': fromCertificate,
};
const PRIVATE_TYPES = {
  __proto__: null,
  pkcs1: ofRsa('private'),
  pkcs8: fromPkcs8,
  sec1: fromSec1,
};
const PUBLIC_TYPES = {
  __proto__: null,
  pkcs1: ofRsa('public'),
  spki: fromSpki,
};

function fromJwk(jwk) {
  if (jwk.kty === 'RSA')
    return { kind: 'rsa', numbers: rsaKeys().readJwk(jwk) };
  const known = {
    EC: () => ['ec', jwk.crv],
    OKP: () => [`${jwk.crv}`.toLowerCase(), undefined],
  }[jwk.kty];
  if (!known) throw invalidValue('key.kty', jwk.kty);
  const [kind, curve] = known();
  if (!curves().kindOf[kind]) throw invalidValue('key.crv', jwk.crv);
  if (jwk.d !== undefined) {
    return onCurve(kind, curve, { secret: fromBase64Url(jwk.d, 'd') });
  }
  const { join } = kindOf({ kind, curve });
  const x = fromBase64Url(jwk.x, 'x');
  const y = kind === 'ec' ? fromBase64Url(jwk.y, 'y') : [];
  return onCurve(kind, curve, { point: join(x, y) });
}

/** Where a public key is wanted, a private one will do. */
const among = (isPublic, secret, open) =>
  isPublic ? { __proto__: null, ...secret, ...open } : secret;

function fromDer(bytes, type, isPublic) {
  const read = among(isPublic, PRIVATE_TYPES, PUBLIC_TYPES)[type];
  if (!read) throw invalidValue('options.type', type);
  return read(bytes);
}

function fromPem(data, isPublic) {
  const { label, bytes } = pem.read(data);
  const read = among(isPublic, PRIVATE_BLOCKS, PUBLIC_BLOCKS)[label];
  if (!read) throw unreadable();
  return read(bytes);
}

/**
 * @param {string | Uint8Array | object} data PEM, the bytes of DER, or a JWK
 * @param {{ format?: string, type?: string }} options
 * @param {boolean} isPublic a public key is wanted; a private one has it too
 */
function read(data, { format = 'pem', type }, isPublic) {
  try {
    if (format === 'jwk') return fromJwk(data);
    if (format === 'der') return fromDer(data, type, isPublic);
    return fromPem(data, isPublic);
  } catch (error) {
    if (error.name === 'DataError') throw unreadable();
    throw error;
  }
}

module.exports = { read };
