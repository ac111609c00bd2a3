'use strict';

// Signatures, and secrets that two keys agree on.

const { fromBytes, isView, toBytes, toViewBytes } = require('./bytes.js');
const {
  cryptoError,
  invalidType,
  invalidValue,
  needFunction,
  needObject,
  needString,
} = require('./errors.js');
const { digestId, needDigest } = require('./hash.js');
const { isTextOrBytes } = require('./key-encoding.js');
const { privateHandle, publicHandle } = require('./key-input.js');
const { finishLater } = require('./later.js');
const { LazyWritable, extendLazily } = require('../lazy-streams.js');
const { openssl } = require('./natives.js');
const { handleOf, isKeyObject } = require('./keys.js');
const { since } = require('../versions.js');

function intOption(name, options) {
  const value = options[name];
  if (value === undefined) return undefined;
  if (value === value >> 0) return value;
  throw invalidValue(`options.${name}`, value);
}

function isHalves(options) {
  if (typeof options !== 'object') return false;
  const { dsaEncoding = 'der' } = options;
  if (dsaEncoding === 'der') return false;
  if (dsaEncoding === 'ieee-p1363') return true;
  throw invalidValue('options.dsaEncoding', dsaEncoding);
}

/** [padding, salt length, whether r || s is wanted] */
const schemeOf = (options) => [
  intOption('padding', options),
  intOption('saltLength', options),
  isHalves(options),
];

const noKey = () => cryptoError('SIGN_KEY_REQUIRED', 'No key provided to sign');

const STATE = Symbol('state');

function start(signing, algorithm, options) {
  needString(algorithm, 'algorithm');
  const id = digestId(algorithm);
  if (id < 0) {
    throw cryptoError('INVALID_DIGEST', 'Invalid digest', TypeError);
  }
  Object.defineProperty(signing, STATE, {
    value: { id, native: openssl.hashNew(id) },
  });
  LazyWritable.call(signing, options);
}

const methods = {
  _write(chunk, encoding, callback) {
    this.update(chunk, encoding);
    callback();
  },
  update(data, encoding) {
    const bytes = toViewBytes(data, 'data', encoding);
    openssl.hashUpdate(this[STATE].native, bytes);
    return this;
  },
};

function digestOf(signing) {
  const own = signing[STATE];
  if (own.native === undefined) {
    throw cryptoError('INVALID_STATE', 'Not initialised');
  }
  const digest = openssl.hashFinal(own.native, false, -1);
  own.native = undefined;
  return digest;
}

function Sign(algorithm, options) {
  if (!(this instanceof Sign)) return new Sign(algorithm, options);
  start(this, algorithm, options);
}
extendLazily(Sign, LazyWritable, {
  ...methods,
  sign(options, encoding) {
    if (!options) throw noKey();
    const key = privateHandle(options);
    const scheme = schemeOf(options);
    const { id } = this[STATE];
    const signed = openssl.signDigest(id, key, digestOf(this), ...scheme);
    return fromBytes(signed, encoding);
  },
});

function Verify(algorithm, options) {
  if (!(this instanceof Verify)) return new Verify(algorithm, options);
  start(this, algorithm, options);
}
extendLazily(Verify, LazyWritable, {
  ...methods,
  verify(options, signature, encoding) {
    const key = publicHandle(options);
    const scheme = schemeOf(options);
    const given = toBytes(signature, 'signature', encoding);
    const { id } = this[STATE];
    return openssl.verifyDigest(id, key, digestOf(this), given, ...scheme);
  },
});

// Callbacks of older ones get OpenSSL's messages alone.
function ofJob(work) {
  try {
    return work();
  } catch (error) {
    if (since(26) || error.library === undefined) throw error;
    for (const name of ['library', 'reason', 'code']) delete error[name];
    throw error;
  }
}

function finish(callback, work) {
  if (callback === undefined) return work();
  finishLater(callback, () => ofJob(work));
  return undefined;
}

const contextOf = (options) => {
  const context = options?.context;
  if (context === undefined) return undefined;
  return toBytes(context, 'context');
};

function sign(algorithm, data, key, callback = undefined) {
  if (algorithm !== null && algorithm !== undefined) {
    needString(algorithm, 'algorithm');
  }
  if (callback !== undefined) needFunction(callback);
  const bytes = toBytes(data, 'data');
  if (!key) throw noKey();
  const scheme = schemeOf(key);
  const handle = privateHandle(key);
  const id =
    algorithm === null || algorithm === undefined ? -1 : needDigest(algorithm);
  const context = contextOf(key);
  return finish(callback, () =>
    fromBytes(openssl.sign(id, handle, bytes, ...scheme, context)),
  );
}

const SIGNATURES = [
  ...(since(24) ? ['string', 'ArrayBuffer'] : []),
  ...['Buffer', 'TypedArray', 'DataView'],
];

function verify(algorithm, data, key, signature, callback = undefined) {
  if (algorithm !== null && algorithm !== undefined) {
    needString(algorithm, 'algorithm');
  }
  if (callback !== undefined) needFunction(callback);
  const bytes = toBytes(data, 'data');
  if (!isView(data) && typeof data !== 'string' && !bytes.byteLength) {
    throw invalidType('data', ['Buffer', 'TypedArray', 'DataView'], data);
  }
  const scheme = schemeOf(key);
  if (!isView(signature) && (!since(24) || !isTextOrBytes(signature))) {
    throw invalidType('signature', SIGNATURES, signature);
  }
  const handle = publicHandle(key);
  const id =
    algorithm === null || algorithm === undefined ? -1 : needDigest(algorithm);
  const context = contextOf(key);
  return finish(callback, () =>
    openssl.verify(id, handle, bytes, signature, ...scheme, context),
  );
}

const KINDS = ['dh', 'ec', 'x448', 'x25519'];

function needPair(options) {
  needObject(options, 'options');
  const { privateKey, publicKey } = options;
  if (!isKeyObject(privateKey)) {
    throw invalidValue('options.privateKey', privateKey);
  }
  if (!isKeyObject(publicKey)) {
    throw invalidValue('options.publicKey', publicKey);
  }
  if (privateKey.type !== 'private') {
    throw cryptoError(
      'INVALID_KEY_OBJECT_TYPE',
      `Invalid key object type ${privateKey.type}, expected private.`,
      TypeError,
    );
  }
  if (publicKey.type !== 'public' && publicKey.type !== 'private') {
    throw cryptoError(
      'INVALID_KEY_OBJECT_TYPE',
      `Invalid key object type ${publicKey.type}, expected private or public.`,
      TypeError,
    );
  }
  const [kind, otherKind] = [
    privateKey.asymmetricKeyType,
    publicKey.asymmetricKeyType,
  ];
  if (kind !== otherKind || !KINDS.includes(kind)) {
    throw cryptoError(
      'INCOMPATIBLE_KEY',
      `Incompatible key types for Diffie-Hellman: ${kind} and ${otherKind}`,
    );
  }
  return [handleOf(privateKey), handleOf(publicKey)];
}

function diffieHellman(options, callback = undefined) {
  if (callback !== undefined) needFunction(callback);
  const [own, other] = needPair(options);
  return finish(callback, () => fromBytes(openssl.agree(own, other)));
}

function encapsulate(key, callback = undefined) {
  if (callback !== undefined) needFunction(callback);
  const handle = publicHandle(key);
  return finishJob(callback, () => {
    const [sharedKey, ciphertext] = openssl.encapsulate(handle);
    return {
      sharedKey: fromBytes(sharedKey),
      ciphertext: fromBytes(ciphertext),
    };
  });
}

/** Node's jobs have another text for what fails later. */
function finishJob(callback, work) {
  if (callback === undefined) return work();
  return finish(callback, () => {
    try {
      return work();
    } catch (error) {
      if (error.code !== 'ERR_CRYPTO_OPERATION_FAILED') throw error;
      throw new Error('Deriving bits failed');
    }
  });
}

function decapsulate(key, ciphertext, callback = undefined) {
  if (callback !== undefined) needFunction(callback);
  const handle = privateHandle(key);
  const bytes = toBytes(ciphertext, 'ciphertext');
  return finishJob(callback, () =>
    fromBytes(openssl.decapsulate(handle, bytes)),
  );
}

module.exports = {
  Sign,
  Verify,
  createSign: (algorithm, options) => new Sign(algorithm, options),
  createVerify: (algorithm, options) => new Verify(algorithm, options),
  decapsulate,
  diffieHellman,
  encapsulate,
  sign,
  verify,
};
