'use strict';

// Keys on curves, of crypto.subtle; apart from the rest because they are large.

const { ed25519, x25519 } = require('@noble/curves/ed25519.js');
const { p256, p384, p521 } = require('@noble/curves/nist.js');

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
} = require('../lib/subtle/common.js');
const der = require('../lib/subtle/der.js');

const {
  bytesIn,
  checkUsages,
  domException,
  makeKey,
  needKey,
  randomBytes,
  useKey,
} = require('sw:subtle').shared;

const EC_KEY = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
const NIST = {
  __proto__: null,
  'P-256': {
    curve: p256,
    size: 32,
    oids: [EC_KEY, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]],
  },
  'P-384': { curve: p384, size: 48, oids: [EC_KEY, [0x2b, 0x81, 0x04, 0, 34]] },
  'P-521': { curve: p521, size: 66, oids: [EC_KEY, [0x2b, 0x81, 0x04, 0, 35]] },
};

function nist({ namedCurve }) {
  const found = NIST[namedCurve];
  if (found) return found;
  throw notSupported(`Unrecognized namedCurve: ${namedCurve}`);
}

function checkPoint(curve, point) {
  try {
    curve.Point.fromBytes(point).assertValidity();
  } catch {
    throw dataError('Invalid key data: not a point of the curve');
  }
  return curve.Point.fromBytes(point).toBytes(false);
}

// Both kinds: { oids, isEc, crv, kty, public(secret), check(point) }.
const ecKind = (algorithm) => {
  const { curve, size, oids } = nist(algorithm);
  return {
    oids,
    size,
    isEc: true,
    kty: 'EC',
    crv: algorithm.namedCurve,
    description: (name) => ({ name, namedCurve: algorithm.namedCurve }),
    generate: () =>
      curve.utils.randomSecretKey(randomBytes(curve.lengths.seed)),
    publicOf: (secret) => curve.getPublicKey(secret, false),
    check: (point) => checkPoint(curve, point),
    isSecret: (secret) => curve.utils.isValidSecretKey(secret),
    split: (point) => [point.slice(1, 1 + size), point.slice(1 + size)],
    join: (x, y) => Uint8Array.from([4, ...x, ...y]),
  };
};

const okpKind = (crv, library, oid) => () => ({
  oids: [[0x2b, 0x65, oid]],
  size: 32,
  isEc: false,
  kty: 'OKP',
  crv,
  description: (name) => ({ name }),
  generate: () => randomBytes(32),
  publicOf: (secret) => library.getPublicKey(secret),
  check(point) {
    if (point.length === 32) return point;
    throw dataError('Invalid key data');
  },
  isSecret: (secret) => secret.length === 32,
  split: (point) => [point],
  join: (x) => x,
});

// Names of algorithms that a JWK may have, where that is checked.
const JWK_ALGS = {
  'P-256': { ECDSA: ['ES256'] },
  'P-384': { ECDSA: ['ES384'] },
  'P-521': { ECDSA: ['ES512'] },
  Ed25519: { Ed25519: ['Ed25519', 'EdDSA'] },
};

function jwkOf(key, kind) {
  const secret = key.type === 'private' ? bytesIn(key) : undefined;
  const point = secret ? kind.publicOf(secret) : bytesIn(key);
  const [x, y] = kind.split(point);
  return {
    key_ops: key.usages,
    ext: key.extractable,
    kty: kind.kty,
    x: toBase64Url(x),
    ...(y && { y: toBase64Url(y) }),
    crv: kind.crv,
    ...(secret && { d: toBase64Url(secret) }),
  };
}

function readJwk(jwk, kind, extractable, usages) {
  checkJwk(jwk, kind.kty, extractable, usages);
  if (jwk.crv !== kind.crv) throw dataError('JWK: "crv" does not fit');
  if (jwk.alg !== undefined && !(kind.algs?.includes(jwk.alg) ?? true)) {
    throw dataError('JWK: "alg" does not fit');
  }
  const half = (name) => {
    const bytes = fromBase64Url(jwk[name], name);
    if (bytes.length === kind.size) return bytes;
    throw dataError(`JWK: "${name}" has another length`);
  };
  const point = kind.join(half('x'), kind.isEc ? half('y') : []);
  if (jwk.d === undefined) return ['public', point];
  const secret = half('d');
  if (!kind.isSecret(secret)) throw dataError('Invalid key data');
  const own = kind.publicOf(secret);
  if (own.some((byte, at) => byte !== point[at])) {
    throw dataError('JWK: "d" is of another key');
  }
  return ['private', secret];
}

function readKey(format, data, kind, extractable, usages) {
  if (format === 'jwk') return readJwk(data, kind, extractable, usages);
  const bytes = bytesOf(data, 'importKey');
  if (format === 'raw') return ['public', bytes];
  if (format === 'spki') return ['public', der.readSpki(kind.oids, bytes)];
  if (format === 'pkcs8') {
    return ['private', der.readPkcs8(kind.oids, bytes, kind.isEc)];
  }
  throw notSupported(`There is no format ${format}`);
}

function keysOf(name, kindOf, privateUsages, publicUsages) {
  return {
    generateKey(algorithm, extractable, usages) {
      checkUsages(usages, [...privateUsages, ...publicUsages], false);
      const allowed = (list) => usages.filter((usage) => list.includes(usage));
      const kind = kindOf(algorithm);
      if (allowed(privateUsages).length === 0) {
        throw domException('Usages cannot be empty', 'SyntaxError');
      }
      const secret = kind.generate();
      const make = (type, bytes, list) =>
        makeKey(type, kind.description(name), bytes, extractable, list);
      return {
        publicKey: make('public', kind.publicOf(secret), allowed(publicUsages)),
        privateKey: make('private', secret, allowed(privateUsages)),
      };
    },

    importKey(format, data, algorithm, extractable, usages) {
      const kind = kindOf(algorithm);
      const known = { ...kind, algs: JWK_ALGS[kind.crv]?.[name] };
      const [type, read] = readKey(format, data, known, extractable, usages);
      const secret = type === 'private';
      checkUsages(usages, secret ? privateUsages : publicUsages, secret);
      if (secret && !kind.isSecret(read)) throw dataError('Invalid key data');
      const bytes = secret ? read : kind.check(read);
      return makeKey(type, kind.description(name), bytes, extractable, usages);
    },

    exportKey(format, key) {
      const kind = kindOf(key.algorithm);
      if (format === 'jwk') return jwkOf(key, kind);
      const bytes = bytesIn(key);
      if (format === 'pkcs8' && key.type === 'private') {
        const point = kind.isEc ? kind.publicOf(bytes) : undefined;
        return der.writePkcs8(kind.oids, bytes, point).buffer;
      }
      if (format === 'spki' && key.type === 'public') {
        return der.writeSpki(kind.oids, bytes).buffer;
      }
      if (format === 'raw' && key.type === 'public')
        return bytes.slice().buffer;
      throw domException(
        `A ${key.type} key has no format ${format}`,
        ['raw', 'spki', 'pkcs8'].includes(format)
          ? 'InvalidAccessError'
          : 'NotSupportedError',
      );
    },
  };
}

function needType(key, type) {
  needKey(key, 'SubtleCrypto');
  if (key.type === type) return;
  throw domException(`Not a ${type} key`, 'InvalidAccessError');
}

const PLAIN = { prehash: false, lowS: false };
const digest = ({ hash }, data) => findHash(hashName(hash))(data);

const ECDSA = {
  ...keysOf('ECDSA', ecKind, ['sign'], ['verify']),
  sign(algorithm, key, data) {
    needType(key, 'private');
    const secret = useKey(key, 'ECDSA', 'sign');
    return nist(key.algorithm).curve.sign(
      digest(algorithm, data),
      secret,
      PLAIN,
    );
  },
  verify(algorithm, key, signature, data) {
    needType(key, 'public');
    const point = useKey(key, 'ECDSA', 'verify');
    const { curve } = nist(key.algorithm);
    try {
      return curve.verify(signature, digest(algorithm, data), point, PLAIN);
    } catch {
      return false;
    }
  },
};

const Ed25519 = {
  ...keysOf('Ed25519', okpKind('Ed25519', ed25519, 112), ['sign'], ['verify']),
  sign(_, key, data) {
    needType(key, 'private');
    return ed25519.sign(data, useKey(key, 'Ed25519', 'sign'));
  },
  verify(_, key, signature, data) {
    needType(key, 'public');
    const point = useKey(key, 'Ed25519', 'verify');
    try {
      return ed25519.verify(signature, data, point, { zip215: false });
    } catch {
      return false;
    }
  },
};

const DERIVES = ['deriveKey', 'deriveBits'];

/** deriveBits of what two keys have in common. */
function agreement(name, kindOf, secretOf) {
  return {
    ...keysOf(name, kindOf, DERIVES, []),
    deriveBits({ public: other }, key, length, usage) {
      const secret = useKey(key, name, usage);
      needType(key, 'private');
      needType(other, 'public');
      if (
        other.algorithm.name !== name ||
        other.algorithm.namedCurve !== key.algorithm.namedCurve
      ) {
        throw domException('Keys of another kind', 'InvalidAccessError');
      }
      const bits = attempt('The keys do not agree', () =>
        secretOf(key, secret, bytesIn(other)),
      );
      if (length === null) return bits;
      if (length > bits.length * 8) throw operationError('length is too large');
      const some = bits.slice(0, Math.ceil(length / 8));
      if (length % 8 > 0) some[some.length - 1] &= 0xff << (8 - (length % 8));
      return some;
    },
  };
}

const ECDH = agreement('ECDH', ecKind, (key, secret, point) =>
  nist(key.algorithm).curve.getSharedSecret(secret, point, true).slice(1),
);

const X25519 = agreement(
  'X25519',
  okpKind('X25519', x25519, 110),
  (_, secret, point) => x25519.getSharedSecret(secret, point),
);

module.exports = {
  ECDH,
  ECDSA,
  Ed25519,
  X25519,
  // For node:crypto.
  curveOf: (namedCurve) => nist({ namedCurve }),
  kindOf: {
    ec: ecKind,
    ed25519: okpKind('Ed25519', ed25519, 112),
    x25519: okpKind('X25519', x25519, 110),
  },
  ed25519,
  x25519,
};
