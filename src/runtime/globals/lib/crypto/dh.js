'use strict';

const {
  buffers,
  fromBytes,
  isAnyBuffer,
  isView,
  sizeOf,
  toBytes,
} = require('./bytes.js');
const {
  cryptoError,
  invalidType,
  nativeError,
  needInt32,
  needString,
  refused,
} = require('./errors.js');
const { openssl } = require('./natives.js');
const { since } = require('../versions.js');

const GROUP = Symbol('group');
const GENERATOR = 2;

const rangeError = (reason, code) => {
  const error = new Error(`error:${code}:Diffie-Hellman routines::${reason}`);
  error.library = 'Diffie-Hellman routines';
  error.reason = reason;
  error.code = `ERR_OSSL_DH_${reason.toUpperCase().replaceAll(' ', '_')}`;
  return error;
};

function hold(target, native) {
  Object.defineProperty(target, GROUP, { value: native });
  Object.defineProperty(target, 'verifyError', {
    value: openssl.dhCheck(native),
    enumerable: true,
  });
}

const isEncoding = (value) =>
  value === 'buffer' ||
  (typeof value === 'string' && buffers().isEncoding(value));

function generatorBytes(generator, encoding) {
  if (typeof generator === 'number') {
    needInt32(generator, 'generator');
    const bytes = buffers().alloc(4);
    bytes.writeInt32BE(generator);
    return bytes;
  }
  if (typeof generator === 'string') {
    return toBytes(generator, 'generator', encoding);
  }
  if (!isView(generator) && !isAnyBuffer(generator)) {
    throw invalidType(
      'generator',
      ['number', 'string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'],
      generator,
    );
  }
  return generator;
}

const badGenerator = () => rangeError('bad generator', '02800065');

function isSmall(bytes, given) {
  if (typeof given === 'number') return given < 2;
  const all = fromBytes(
    typeof bytes === 'string'
      ? buffers().from(bytes)
      : new Uint8Array(
          bytes.buffer ?? bytes,
          bytes.byteOffset ?? 0,
          bytes.byteLength,
        ),
  );
  return all.every((byte, at) =>
    at === all.length - 1 ? byte < 2 : byte === 0,
  );
}

function DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding) {
  if (!(this instanceof DiffieHellman)) {
    return new DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding);
  }
  if (
    typeof sizeOrKey !== 'number' &&
    typeof sizeOrKey !== 'string' &&
    !isView(sizeOrKey) &&
    !isAnyBuffer(sizeOrKey)
  ) {
    throw invalidType(
      'sizeOrKey',
      ['number', 'string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'],
      sizeOrKey,
    );
  }
  if (typeof sizeOrKey === 'number') needInt32(sizeOrKey, 'sizeOrKey');
  let [encoding, given, givenEncoding] = [keyEncoding, generator, genEncoding];
  if (keyEncoding && !isEncoding(keyEncoding)) {
    [encoding, given, givenEncoding] = [undefined, keyEncoding, generator];
  }
  const key =
    typeof sizeOrKey === 'number'
      ? sizeOrKey
      : toBytes(sizeOrKey, 'sizeOrKey', encoding);
  const bytes = given ? generatorBytes(given, givenEncoding) : buffers().of(2);
  const isNumber = typeof key === 'number';
  if (isNumber) {
    const isWrong = given && typeof given !== 'number';
    if (isWrong && !since(22)) throw noNumber();
    if (key < 2) throw modulusTooSmall();
    if (isWrong) throw noNumber();
  } else if (sizeOf(key) === 0 && !since(22)) {
    throw bitsTooSmall();
  }
  // Node 20 has OpenSSL look at the size first.
  if (given && isSmall(bytes, given) && (!isNumber || since(22))) {
    throw badGenerator();
  }
  hold(this, openssl.dhNew(key, bytes));
}

const modulusTooSmall = () => rangeError('modulus too small', '0280007E');

function bitsTooSmall() {
  const error = new Error('error:01800076:bignum routines::bits too small');
  error.library = 'bignum routines';
  error.reason = 'bits too small';
  error.code = 'ERR_OSSL_BN_BITS_TOO_SMALL';
  return error;
}

const noNumber = () =>
  since(22)
    ? nativeError(
        TypeError,
        'ERR_INVALID_ARG_TYPE',
        'Second argument must be an int32',
      )
    : new Error('Initialization failed');

function DiffieHellmanGroup(name) {
  if (!(this instanceof DiffieHellmanGroup))
    return new DiffieHellmanGroup(name);
  if (typeof name !== 'string') {
    throw nativeError(
      TypeError,
      'ERR_INVALID_ARG_TYPE',
      'Group name must be a string',
    );
  }
  const prime = openssl.dhPrime(name.toLowerCase());
  if (prime === undefined) {
    throw refused('UNKNOWN_DH_GROUP', 'Unknown DH group');
  }
  hold(this, openssl.dhNew(prime, buffers().of(GENERATOR)));
}

function encode(bytes, encoding) {
  const buffer = fromBytes(bytes);
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
}

function partOf(self, encoding, name, what) {
  const bytes = openssl.dhPart(self[GROUP], name);
  if (bytes === undefined) throw refused('INVALID_STATE', `No ${what}`);
  return encode(bytes, encoding);
}

const FORGOTTEN = ' - did you forget to generate one?';
const shared = {
  generateKeys(encoding) {
    return encode(openssl.dhGenerate(this[GROUP]), encoding);
  },
  computeSecret(otherPublicKey, inEncoding, outEncoding) {
    const other = toBytes(otherPublicKey, 'key', inEncoding);
    return encode(dhSecret(this[GROUP], other), outEncoding);
  },
  getPrime(encoding) {
    return partOf(this, encoding, 'prime', 'prime');
  },
  getGenerator(encoding) {
    return partOf(this, encoding, 'generator', 'generator');
  },
  getPublicKey(encoding) {
    return partOf(this, encoding, 'public', `public key${FORGOTTEN}`);
  },
  getPrivateKey(encoding) {
    return partOf(this, encoding, 'private', `private key${FORGOTTEN}`);
  },
};

function dhSecret(group, other) {
  try {
    return openssl.dhSecret(group, other);
  } catch (error) {
    if (error.code !== 'ERR_CRYPTO_INVALID_KEYLEN') throw error;
    throw nativeError(RangeError, error.code, error.message);
  }
}

const setter = (isPrivate, name) =>
  function set(key, encoding) {
    const bytes = toBytes(key, name, encoding);
    openssl.dhSet(this[GROUP], bytes, isPrivate);
    return this;
  };

/** @param {Record<string, Function>} prototype with `constructor` first */
function complete(Class, prototype) {
  Object.defineProperty(prototype, 'constructor', { enumerable: false });
  Class.prototype = prototype;
}
complete(DiffieHellman, {
  constructor: DiffieHellman,
  ...shared,
  setPublicKey: setter(false, 'key'),
  setPrivateKey: setter(true, 'key'),
});
complete(DiffieHellmanGroup, { constructor: DiffieHellmanGroup, ...shared });

// ---- ECDH

const FORMS = { compressed: 2, uncompressed: 4, hybrid: 6 };

function formOf(format) {
  if (!format) return FORMS.uncompressed;
  if (typeof format === 'string' && Object.hasOwn(FORMS, format))
    return FORMS[format];
  throw cryptoError(
    'ECDH_INVALID_FORMAT',
    require('node:util').format('Invalid ECDH format: %s', format),
    TypeError,
  );
}

function ECDH(curve) {
  if (!(this instanceof ECDH)) return new ECDH(curve);
  needString(curve, 'curve');
  const native = openssl.ecdhNew(curve, true);
  if (native === undefined) {
    throw refused('INVALID_CURVE', 'Invalid EC curve name', TypeError);
  }
  Object.defineProperty(this, GROUP, { value: native });
}

const invalidKeyPair = () =>
  refused('INVALID_KEYPAIR', 'Invalid key pair', RangeError);

complete(ECDH, {
  constructor: ECDH,
  computeSecret: function computeSecret(
    otherPublicKey,
    inEncoding,
    outEncoding,
  ) {
    const other = toBytes(otherPublicKey, 'key', inEncoding);
    const secret = openssl.ecdhSecret(this[GROUP], other);
    if (secret === 1) throw invalidKeyPair();
    if (secret === 2) {
      throw cryptoError(
        'ECDH_INVALID_PUBLIC_KEY',
        'Public key is not valid for specified curve',
      );
    }
    if (secret === 0) {
      throw refused('OPERATION_FAILED', 'Failed to compute ECDH key');
    }
    return encode(secret, outEncoding);
  },
  generateKeys(encoding, format) {
    openssl.ecdhGenerate(this[GROUP]);
    return this.getPublicKey(encoding, format);
  },
  getPrivateKey(encoding) {
    const bytes = openssl.ecdhPrivate(this[GROUP]);
    if (bytes === undefined) {
      throw refused('OPERATION_FAILED', 'Failed to get ECDH private key');
    }
    return encode(bytes, encoding);
  },
  getPublicKey(encoding, format) {
    const form = formOf(format);
    const bytes = openssl.ecdhPublic(this[GROUP], form);
    if (bytes === undefined) {
      throw refused('OPERATION_FAILED', 'Failed to get ECDH public key');
    }
    return encode(bytes, encoding);
  },
  setPrivateKey(key, encoding) {
    const bytes = toBytes(key, 'key', encoding);
    if (openssl.ecdhSetPrivate(this[GROUP], bytes)) return this;
    throw refused(
      'INVALID_KEYTYPE',
      'Private key is not valid for specified curve.',
      RangeError,
    );
  },
  setPublicKey(key, encoding) {
    const bytes = toBytes(key, 'key', encoding);
    if (openssl.ecdhSetPublic(this[GROUP], bytes)) return this;
    throw refused('OPERATION_FAILED', 'Failed to convert Buffer to EC_POINT');
  },
});

ECDH.convertKey = function convertKey(
  key,
  curve,
  inEncoding,
  outEncoding,
  format,
) {
  needString(curve, 'curve');
  const bytes = toBytes(key, 'key', inEncoding);
  const form = formOf(format);
  const converted = openssl.ecdhConvert(bytes, curve, form);
  // No bytes at all become a text in Node, whatever the encoding.
  return typeof converted === 'string' ? '' : encode(converted, outEncoding);
};

let curves;
const getCurves = () => {
  const { uniqueNames } = require('./hash.js');
  return [...(curves ??= uniqueNames(openssl.curveNames()))];
};

module.exports = {
  DiffieHellman,
  DiffieHellmanGroup,
  ECDH,
  createDiffieHellman: (...args) => new DiffieHellman(...args),
  createDiffieHellmanGroup: (name) => new DiffieHellmanGroup(name),
  createECDH: (curve) => new ECDH(curve),
  getCurves,
};
