'use strict';

// Signatures, and secrets that two keys agree on.

const {
  fromBytes,
  isTextOrBytes,
  isView,
  toBytes,
  toViewBytes,
} = require('./bytes.js');
const {
  cryptoError,
  invalidType,
  invalidValue,
  nativeError,
  needFunction,
  needObject,
  needString,
  refused,
} = require('./errors.js');
const { digestId, needDigest, refuseUnloaded } = require('./hash.js');
const {
  objectOf,
  preparedPrivate,
  preparedPublic,
  privateHandle,
  publicHandle,
  wrongType,
} = require('./key-input.js');
const { finishLater } = require('./later.js');
const { extendLazily, makeLazyWritable } = require('../lazy-streams.js');
const { openssl } = require('./natives.js');
const { handleOf, isKeyObject } = require('./keys.js');
const { since, sinceLate24 } = require('../versions.js');

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
const LazyWritable = makeLazyWritable();

function start(signing, algorithm, options) {
  needString(algorithm, 'algorithm');
  const id = digestId(algorithm);
  if (id < 0) {
    refuseUnloaded(algorithm, 1);
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
  constructor: Sign,
  ...methods,
  sign(options, encoding) {
    if (!options) throw noKey();
    const open = preparedPrivate(options, since(24) ? 'privateKey' : 'key');
    const scheme = schemeOf(options);
    const { id } = this[STATE];
    // A key that is refused leaves what was added.
    const key = open();
    const digest = digestOf(this);
    const signed = openssl.signDigest(id, key, digest, ...scheme);
    return fromBytes(signed, encoding);
  },
});

function Verify(algorithm, options) {
  if (!(this instanceof Verify)) return new Verify(algorithm, options);
  start(this, algorithm, options);
}
extendLazily(Verify, LazyWritable, {
  constructor: Verify,
  ...methods,
  verify(options, signature, encoding) {
    const open = preparedPublic(options);
    const scheme = schemeOf(options);
    const given = toBytes(signature, 'signature', encoding);
    const { id } = this[STATE];
    const key = open();
    const digest = digestOf(this);
    return openssl.verifyDigest(id, key, digest, given, ...scheme);
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

const takesContext = since(24, 8);
const contextOf = (options) => {
  const context = options?.context;
  if (context === undefined) return undefined;
  if (isView(context)) return context;
  const classes = ['Buffer', 'TypedArray', 'DataView'];
  throw invalidType('options.context', classes, context);
};

const MAX_CONTEXT = 255;
const WITH_CONTEXT = /^(ed25519|ed448|ml-dsa-|slh-dsa-)/;

/** Refuses what the key, which is read now, cannot be used with. */
function checkContext(handle, context) {
  if (context === undefined || context.byteLength === 0) return;
  if (context.byteLength > MAX_CONTEXT) {
    throw nativeError(
      RangeError,
      'ERR_OUT_OF_RANGE',
      `context string must be at most ${MAX_CONTEXT} bytes`,
    );
  }
  if (!WITH_CONTEXT.test(openssl.keyKind(handle))) {
    throw refused('OPERATION_FAILED', 'Context parameter is unsupported');
  }
}

function sign(algorithm, data, key, callback = undefined) {
  if (algorithm !== null && algorithm !== undefined) {
    needString(algorithm, 'algorithm');
  }
  if (callback !== undefined) needFunction(callback);
  const bytes = toBytes(data, 'data');
  if (!key) throw noKey();
  const scheme = schemeOf(key);
  const context = takesContext ? contextOf(key) : undefined;
  const handle = privateHandle(key);
  checkContext(handle, context);
  const id =
    algorithm === null || algorithm === undefined ? -1 : needDigest(algorithm);
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
  if (!since(24) && !isView(data) && typeof data !== 'string') {
    throw invalidType('data', ['Buffer', 'TypedArray', 'DataView'], data);
  }
  const scheme = schemeOf(key);
  const context = takesContext ? contextOf(key) : undefined;
  if (!isView(signature) && (!since(24) || !isTextOrBytes(signature))) {
    throw invalidType('signature', SIGNATURES, signature);
  }
  const handle = publicHandle(key);
  checkContext(handle, context);
  const id =
    algorithm === null || algorithm === undefined ? -1 : needDigest(algorithm);
  return finish(callback, () =>
    openssl.verify(id, handle, bytes, signature, ...scheme, context),
  );
}

const KINDS = ['dh', 'ec', 'x448', 'x25519'];

function needTypes(own, other) {
  if (own !== undefined && own.type !== 'private') {
    throw wrongType(own.type, 'private');
  }
  if (other?.type === 'secret') {
    throw wrongType(other.type, 'private or public');
  }
}

function needPair(options) {
  needObject(options, 'options');
  const { privateKey, publicKey } = options;
  if (!isKeyObject(privateKey)) {
    throw invalidValue('options.privateKey', privateKey);
  }
  if (!isKeyObject(publicKey)) {
    throw invalidValue('options.publicKey', publicKey);
  }
  needTypes(privateKey, publicKey);
  checkKinds(privateKey, publicKey);
  return [handleOf(privateKey), handleOf(publicKey)];
}

function checkKinds(privateKey, publicKey) {
  const kinds = [privateKey.asymmetricKeyType, publicKey.asymmetricKeyType];
  if (kinds[0] === kinds[1] && KINDS.includes(kinds[0])) return;
  throw cryptoError(
    'INCOMPATIBLE_KEY',
    `Incompatible key types for Diffie-Hellman: ${kinds.join(' and ')}`,
  );
}

// Newer Nodes take all that createPrivateKey() and createPublicKey() take.
function anyPair(options) {
  const { privateKey, publicKey } = options;
  const isAbsent = (key) => key === undefined || (since(26) && key === null);
  if (isAbsent(privateKey)) {
    throw invalidValue('options.privateKey', privateKey);
  }
  if (isAbsent(publicKey)) throw invalidValue('options.publicKey', publicKey);
  const [own, other] = [objectOf(privateKey), objectOf(publicKey)];
  if (since(26)) needTypes(own, other);
  if (own?.type === 'private' && other !== undefined) {
    if (other.type !== 'secret') checkKinds(own, other);
  }
  const openPublic = preparedPublic(publicKey, 'options.publicKey');
  const openPrivate = preparedPrivate(privateKey, 'options.privateKey');
  const peer = openPublic();
  return [openPrivate(), peer];
}

function diffieHellman(options, second = undefined) {
  // Older ones have no callback.
  const callback = since(24) ? second : undefined;
  const pairOf = sinceLate24() ? anyPair : needPair;
  if (sinceLate24()) needObject(options, 'options');
  if (callback !== undefined) needFunction(callback);
  const [own, other] = pairOf(options);
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
  const open = preparedPrivate(key);
  const bytes = toBytes(ciphertext, 'ciphertext');
  const handle = open();
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
