'use strict';

// Keys as JSON Web Keys.

const { buffers, fromBytes } = require('./bytes.js');
const {
  cryptoError,
  needObject,
  needOneOf,
  needString,
} = require('./errors.js');
const { openssl } = require('./natives.js');
const { since, sinceLate24 } = require('../versions.js');

const CURVES = {
  'P-256': { group: 'prime256v1', size: 32 },
  secp256k1: { group: 'secp256k1', size: 32 },
  'P-384': { group: 'secp384r1', size: 48 },
  'P-521': { group: 'secp521r1', size: 66 },
};
const OKP = { Ed25519: 32, Ed448: 57, X25519: 32, X448: 56 };
const DSA = ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'];
const KEM = ['ML-KEM-512', 'ML-KEM-768', 'ML-KEM-1024'];
const SLH = ['SHA2', 'SHAKE'].flatMap((hash) =>
  ['128', '192', '256'].flatMap((bits) =>
    ['f', 's'].map((kind) => `SLH-DSA-${hash}-${bits}${kind}`),
  ),
);
const akpNames = () => (sinceLate24() ? [...DSA, ...KEM, ...SLH] : DSA);

// JWK's names and OpenSSL's.
const RSA = { n: 'n', e: 'e' };
const RSA_PRIVATE = {
  d: 'd',
  p: 'rsa-factor1',
  q: 'rsa-factor2',
  dp: 'rsa-exponent1',
  dq: 'rsa-exponent2',
  qi: 'rsa-coefficient1',
};
const NUMBER = 0;
const BYTES = 1;
const TEXT = 2;

const text = (bytes) => fromBytes(bytes, 'base64url');

function exportRsa(handle, isPrivate) {
  const jwk = { kty: 'RSA' };
  const names = isPrivate ? { ...RSA, ...RSA_PRIVATE } : RSA;
  for (const [name, own] of Object.entries(names)) {
    jwk[name] = text(openssl.keyNumber(handle, own));
  }
  return jwk;
}

function exportEc(handle, isPrivate) {
  const group = openssl.keyText(handle, 'group');
  const found = Object.entries(CURVES).find(([, of]) => of.group === group);
  if (found === undefined) {
    throw cryptoError(
      'JWK_UNSUPPORTED_CURVE',
      `Unsupported JWK EC curve: ${group}.`,
    );
  }
  const [crv, { size }] = found;
  const part = (name) => text(openssl.keyNumber(handle, name, size));
  const jwk = { kty: 'EC', x: part('qx'), y: part('qy'), crv };
  if (isPrivate) jwk.d = part('priv');
  return jwk;
}

function exportOkp(handle, kind, isPrivate) {
  const crv = Object.keys(OKP).find((name) => name.toLowerCase() === kind);
  const x = text(openssl.keyRaw(handle, false));
  const d = isPrivate && { d: text(openssl.keyRaw(handle, true)) };
  return since(24)
    ? { kty: 'OKP', crv, x, ...d }
    : { crv, ...d, x, kty: 'OKP' };
}

function exportAkp(handle, alg, isPrivate) {
  const jwk = { kty: 'AKP', alg };
  jwk.pub = text(openssl.keyRaw(handle, false));
  if (isPrivate) {
    const seed = SLH.includes(alg)
      ? openssl.keyRaw(handle, true)
      : openssl.keyOctets(handle, 'seed');
    if (seed === undefined) {
      throw cryptoError(
        'OPERATION_FAILED',
        'key does not have an available seed',
      );
    }
    jwk.priv = text(seed);
  }
  return jwk;
}

function exportJwk(handle, isPrivate) {
  const kind = openssl.keyKind(handle);
  if (kind === 'rsa') return exportRsa(handle, isPrivate);
  if (kind === 'ec') return exportEc(handle, isPrivate);
  if (Object.keys(OKP).some((name) => name.toLowerCase() === kind)) {
    return exportOkp(handle, kind, isPrivate);
  }
  const alg = akpNames().find((name) => name.toLowerCase() === kind);
  if (alg !== undefined && since(24, 6)) {
    return exportAkp(handle, alg, isPrivate);
  }
  throw cryptoError('JWK_UNSUPPORTED_KEY_TYPE', 'Unsupported JWK Key Type.');
}

const invalidJwk = (message) => cryptoError('INVALID_JWK', message, TypeError);
const invalid = (what = 'data') => invalidJwk(`Invalid JWK ${what}`);

function numbersOf(jwk, names, wants) {
  const parts = [];
  for (const [name, own] of Object.entries(names)) {
    if (wants) needString(jwk[name], `key.${name}`);
    parts.push(own, NUMBER, buffers().from(jwk[name], 'base64url'));
  }
  return parts;
}

function importRsa(jwk, isPublic) {
  const parts = numbersOf(jwk, RSA, true);
  if (!isPublic) parts.push(...numbersOf(jwk, RSA_PRIVATE, true));
  const made = openssl.keyMake('RSA', !isPublic, parts);
  if (made === undefined) throw invalid('RSA key');
  return made;
}

function importEc(jwk, isPublic) {
  needString(jwk.crv, 'key.crv');
  needOneOf(jwk.crv, 'key.crv', ['P-256', 'secp256k1', 'P-384', 'P-521']);
  needString(jwk.x, 'key.x');
  needString(jwk.y, 'key.y');
  if (!isPublic) needString(jwk.d, 'key.d');
  const { group, size } = CURVES[jwk.crv];
  const coordinate = (value) => {
    const bytes = buffers().from(value, 'base64url');
    if (bytes.length > size) throw invalid('EC key');
    return buffers().concat([buffers().alloc(size - bytes.length), bytes]);
  };
  const point = buffers().concat([
    buffers().of(4),
    coordinate(jwk.x),
    coordinate(jwk.y),
  ]);
  const parts = ['group', TEXT, group, 'pub', BYTES, point];
  if (!isPublic) parts.push('priv', NUMBER, buffers().from(jwk.d, 'base64url'));
  const made = openssl.keyMake('EC', !isPublic, parts);
  if (made === undefined) throw invalid('EC key');
  return made;
}

function importOkp(jwk, isPublic) {
  needString(jwk.crv, 'key.crv');
  needOneOf(jwk.crv, 'key.crv', Object.keys(OKP));
  needString(jwk.x, 'key.x');
  if (!isPublic) needString(jwk.d, 'key.d');
  const bytes = buffers().from(isPublic ? jwk.x : jwk.d, 'base64');
  if (bytes.length !== OKP[jwk.crv]) throw invalid();
  const made = openssl.keyFromRaw(jwk.crv, bytes, !isPublic);
  if (made === undefined) throw invalid();
  if (!isPublic && sinceLate24()) {
    const open = buffers().from(jwk.x, 'base64url');
    const own = fromBytes(openssl.keyRaw(made, false));
    if (!own.equals(open)) throw invalid('OKP key');
  }
  return made;
}

function importAkp(jwk, isPublic) {
  const wrong = () => invalid(sinceLate24() ? 'AKP key' : undefined);
  checkAkp(jwk, isPublic);
  const { alg } = jwk;
  const open = buffers().from(jwk.pub, 'base64url');
  const read = isPublic ? openssl.keyFromRaw(alg, open, false) : undefined;
  if (isPublic && read === undefined) throw wrong();
  if (isPublic && (jwk.priv === undefined || !sinceLate24())) return read;
  const secret = buffers().from(jwk.priv, 'base64url');
  const made = SLH.includes(alg)
    ? openssl.keyFromRaw(alg, secret, true)
    : openssl.keyMake(alg, true, ['seed', BYTES, secret]);
  if (made === undefined) throw wrong();
  if (!fromBytes(openssl.keyRaw(made, false)).equals(open)) throw wrong();
  return read ?? made;
}

function checkAkp({ alg, pub, priv }, isPublic) {
  if (!sinceLate24()) {
    needString(alg, 'key.alg');
    needOneOf(alg, 'key.alg', akpNames());
    needString(pub, 'key.pub');
    if (!isPublic) needString(priv, 'key.priv');
    return;
  }
  if (!akpNames().includes(alg)) {
    throw invalidJwk('Unsupported JWK AKP "alg"');
  }
  if (!isPublic && priv === undefined) {
    throw invalidJwk('JWK does not contain private key material');
  }
  const isPrivText = priv === undefined || typeof priv === 'string';
  if (typeof pub !== 'string' || !isPrivText) throw invalid('AKP key');
}

/** The native of a JWK's public or private key. */
function importJwk(jwk, isPublic) {
  needObject(jwk, 'key');
  const known = { RSA: importRsa, EC: importEc, OKP: importOkp };
  if (since(24, 6)) known.AKP = importAkp;
  if (since(24) && !Object.hasOwn(known, String(jwk.kty))) {
    if (typeof jwk.kty !== 'string') throw invalid('format');
    throw cryptoError(
      'INVALID_JWK',
      `${jwk.kty} is not a supported JWK key type`,
      TypeError,
    );
  }
  needOneOf(jwk.kty, 'key.kty', Object.keys(known));
  if (jwk.kty === 'RSA') {
    needString(jwk.n, 'key.n');
    needString(jwk.e, 'key.e');
  }
  return known[jwk.kty](jwk, isPublic);
}

module.exports = { CURVES, exportJwk, importJwk };
