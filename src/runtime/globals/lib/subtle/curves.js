'use strict';

// Keys on curves, of crypto.subtle.

const { CURVES, exportJwk, importJwk } = require('../crypto/jwk.js');
const { openssl } = require('../crypto/natives.js');
const {
  attempt: attemptOperation,
  bytesOf,
  checkJwk,
  dataError,
  domException,
  fromBase64Url,
  hashId,
  hashName,
  notSupported,
  operationError,
} = require('./common.js');
const { since } = require('../versions.js');
const { noExport, readDer, shared, writeDer } = require('./der-forms.js');
const {
  asymmetricKey,
  checkUsages,
  innerOf,
  needKey,
  needPrivateUsages,
  needUsages,
  pairOf,
  slotsOf,
  usageCheck,
  useHalf,
  useKey,
} = require('./key.js');
const { validate } = require('./normalize.js');

const NIST = ['P-256', 'P-384', 'P-521'];
const FAILED = 'The operation failed for an operation-specific reason';

function ecKind({ namedCurve }) {
  if (!NIST.includes(namedCurve)) {
    throw notSupported('Unrecognized namedCurve');
  }
  const { group, size } = CURVES[namedCurve];
  return {
    kinds: ['ec'],
    size,
    kty: 'EC',
    crv: namedCurve,
    describe: (name) => ({ name, namedCurve }),
    generate: () => openssl.generateEc(openssl.curveNid(group), false),
    check(handle, isPrivate) {
      const isOurs = openssl.keyText(handle, 'group') === group;
      if (!isOurs) throw dataError('Named curve mismatch');
      if (!openssl.keyCheck(handle, isPrivate)) {
        throw dataError('Invalid keyData');
      }
    },
    fromRaw: (bytes) =>
      openssl.keyMake('EC', false, ['group', 2, group, 'pub', 1, bytes]),
    toRaw: (handle) =>
      openssl.ecdhConvert(openssl.keyOctets(handle, 'pub'), group, 4),
  };
}

const okpKind = (crv, size) => () => ({
  kinds: [crv.toLowerCase()],
  size,
  kty: 'OKP',
  crv,
  describe: (name) => ({ name }),
  generate: () => openssl.generateKey(crv.toUpperCase()),
  check() {},
  fromRaw: (bytes) => openssl.keyFromRaw(crv, bytes, false),
  toRaw: (handle) => openssl.keyRaw(handle, false),
});

// Names of algorithms that a JWK may have, where that is checked.
const JWK_ALGS = {
  'P-256': { ECDSA: ['ES256'] },
  'P-384': { ECDSA: ['ES384'] },
  'P-521': { ECDSA: ['ES512'] },
  Ed25519: { Ed25519: ['Ed25519', 'EdDSA'] },
  Ed448: { Ed448: ['Ed448', 'EdDSA'] },
};

function checkCurve(jwk, kind) {
  if (jwk.crv === kind.crv) return;
  throw dataError(
    kind.kty === 'EC'
      ? 'JWK "crv" does not match the requested algorithm'
      : 'JWK "crv" Parameter and algorithm name mismatch',
  );
}

function readJwk(jwk, kind, name, extractable, usages, check) {
  const isPublic = jwk.d === undefined;
  const isEc = kind.kty === 'EC';
  if (since(24)) check(!isPublic);
  checkJwk(jwk, kind.kty, extractable, usages, () => {
    if (since(24)) return;
    checkCurve(jwk, kind);
    if (isEc) check(!isPublic);
  });
  if (since(24)) checkCurve(jwk, kind);
  const algs = JWK_ALGS[kind.crv]?.[name];
  if (jwk.alg !== undefined && algs !== undefined && !algs.includes(jwk.alg)) {
    throw dataError('JWK "alg" does not match the requested algorithm');
  }
  if (!isEc) check(!isPublic);
  const names = ['x', ...(isEc ? ['y'] : [])];
  if (!isPublic) names.push('d');
  for (const part of names) {
    if (fromBase64Url(jwk[part]).length !== kind.size) {
      throw dataError('Invalid keyData');
    }
  }
  const handle = shared.jwk(importJwk, jwk, isPublic);
  if (!isPublic) {
    const open = shared.jwk(importJwk, jwk, true);
    if (!openssl.keyEquals(open, handle)) throw dataError('Invalid keyData');
  }
  return [isPublic ? 'public' : 'private', handle];
}

function readRaw(bytes, kind) {
  const handle = kind.fromRaw(bytes);
  if (handle === undefined) throw dataError('Invalid keyData');
  return ['public', handle];
}

function readKey(format, data, kind, name, extractable, usages, check) {
  if (format === 'jwk') {
    return readJwk(data, kind, name, extractable, usages, check);
  }
  const bytes = bytesOf(data, 'importKey');
  if (format === 'raw' || format === 'raw-public') {
    check(false);
    return readRaw(bytes, kind);
  }
  const read = readDer(format, bytes, kind.kinds, check);
  if (read !== undefined) return read;
  throw notSupported(`Unable to import ${name} using ${format} format`);
}

function keysOf(name, kindOf, privateUsages, publicUsages) {
  return {
    publicUsages,
    generateKey(algorithm, extractable, usages) {
      // Node 20 looks at the curve first.
      const first = since(22) ? undefined : kindOf(algorithm);
      checkUsages(
        usages,
        [...privateUsages, ...publicUsages],
        false,
        since(24) ? name : `an ${name}`,
      );
      const allowed = (list) => usages.filter((usage) => list.includes(usage));
      const kind = first ?? kindOf(algorithm);
      needUsages(allowed(privateUsages));
      const handle = attemptOperation(FAILED, kind.generate);
      const make = (type, list) => {
        const may = type === 'public' || extractable;
        return asymmetricKey(type, kind.describe(name), handle, may, list);
      };
      return pairOf(
        make('private', allowed(privateUsages)),
        make('public', allowed(publicUsages)),
        name !== 'ECDSA' && name !== 'ECDH',
      );
    },

    importKey(format, data, algorithm, extractable, usages) {
      const kind = kindOf(algorithm);
      const check = usageCheck(
        usages,
        privateUsages,
        publicUsages,
        since(24) ? name : `a ${name}`,
      );
      const [type, handle] = readKey(
        format,
        data,
        kind,
        name,
        extractable,
        usages,
        check,
      );
      const isPrivate = type === 'private';
      kind.check(handle, isPrivate);
      if (isPrivate) needPrivateUsages(usages);
      const shown = kind.describe(name);
      return asymmetricKey(type, shown, handle, extractable, usages);
    },

    exportKey(format, key) {
      const kind = kindOf(slotsOf(key).algorithm);
      const handle = innerOf(key);
      if (format === 'jwk') {
        const jwk = exportJwk(handle, key.type === 'private');
        const alg = name.startsWith('Ed') && { alg: name };
        const [first, last] = since(24) ? [alg, false] : [false, alg];
        return {
          key_ops: slotsOf(key).usages,
          ext: slotsOf(key).extractable,
          ...first,
          ...jwk,
          ...last,
        };
      }
      if (format === 'raw' || format === 'raw-public') {
        if (key.type === 'public') return kind.toRaw(handle).slice().buffer;
        throw noExport(format, key);
      }
      return writeDer(format, key, wholePoint(kind, format, key) ?? handle);
    },
  };
}

// A key with its point uncompressed, which an SPKI of Node's always has.
function wholePoint(kind, format, key) {
  if (kind.kty !== 'EC' || format !== 'spki') return undefined;
  if (key.type !== 'public') return undefined;
  return kind.fromRaw(kind.toRaw(innerOf(key)));
}

const ECDSA = {
  ...keysOf('ECDSA', ecKind, ['sign'], ['verify']),
  sign({ hash }, key, data) {
    const handle = useHalf(key, 'ECDSA', 'sign', 'private');
    const id = hashId(hashName(hash));
    return attemptOperation(FAILED, () =>
      openssl.sign(id, handle, data, undefined, undefined, true),
    );
  },
  verify({ hash }, key, signature, data) {
    const handle = useHalf(key, 'ECDSA', 'verify', 'public');
    const id = hashId(hashName(hash));
    return attemptOperation(FAILED, () =>
      openssl.verify(id, handle, data, signature, undefined, undefined, true),
    );
  },
};

/** Signatures that need no hash. */
function pure(name, keys) {
  const context = (given) => {
    if (given?.context?.length > 0 && !since(24)) {
      throw notSupported('Non zero-length context is not yet supported.');
    }
    return given?.context;
  };
  return {
    ...keys,
    sign(parameters, key, data) {
      const handle = useHalf(key, name, 'sign', 'private');
      const label = context(parameters);
      return attemptOperation(FAILED, () =>
        openssl.sign(-1, handle, data, undefined, undefined, false, label),
      );
    },
    verify(parameters, key, signature, data) {
      const handle = useHalf(key, name, 'verify', 'public');
      const label = context(parameters);
      return attemptOperation(FAILED, () =>
        openssl.verify(
          -1,
          handle,
          data,
          signature,
          undefined,
          undefined,
          false,
          label,
        ),
      );
    },
  };
}

const edwards = (name, size) =>
  pure(name, keysOf(name, okpKind(name, size), ['sign'], ['verify']));

const DERIVES = ['deriveKey', 'deriveBits'];
const AGREE = ['ECDH', 'X25519', 'X448'];

function needType(key, type) {
  needKey(key, 'SubtleCrypto');
  if (key.type === type) return;
  throw domException(
    type === 'private'
      ? 'baseKey must be a private key'
      : 'algorithm.public must be a public key',
    'InvalidAccessError',
  );
}

/** deriveBits of what two keys have in common. */
function agreement(name, kindOf) {
  return {
    ...keysOf(name, kindOf, DERIVES, []),
    deriveBits(parameters, key, length, usage) {
      const own = useKey(key, name, usage);
      validate(parameters);
      const { public: other } = parameters;
      if (!since(22)) needType(other, 'public');
      needType(key, 'private');
      needType(other, 'public');
      if (slotsOf(other).algorithm.name !== name) {
        if (!since(24) && !AGREE.includes(slotsOf(other).algorithm.name)) {
          throw domException(
            'Keys must be ECDH, X25519, or X448 keys',
            'InvalidAccessError',
          );
        }
        throw domException(
          since(24)
            ? 'key algorithm mismatch'
            : 'The public and private keys must be of the same type',
          'InvalidAccessError',
        );
      }
      if (
        slotsOf(other).algorithm.namedCurve !==
        slotsOf(key).algorithm.namedCurve
      ) {
        throw domException('Named curve mismatch', 'InvalidAccessError');
      }
      const bits = attemptOperation(FAILED, () =>
        openssl.agree(own, innerOf(other)),
      );
      // Keys of small order.
      if (bits.every((byte) => byte === 0)) throw operationError(FAILED);
      if (length === null) return bits;
      if (length > bits.length * 8) {
        throw operationError('derived bit length is too small');
      }
      const some = bits.slice(0, Math.ceil(length / 8));
      if (length % 8 > 0) some[some.length - 1] &= 0xff << (8 - (length % 8));
      return some;
    },
  };
}

module.exports = {
  ECDH: agreement('ECDH', ecKind),
  ECDSA,
  Ed25519: edwards('Ed25519', 32),
  Ed448: edwards('Ed448', 57),
  X25519: agreement('X25519', okpKind('X25519', 32)),
  X448: agreement('X448', okpKind('X448', 56)),
  pure,
};
