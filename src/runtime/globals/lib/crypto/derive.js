'use strict';

const {
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
  needFunction,
  needInt32,
  needInteger,
  needObject,
  needOneOf,
  needString,
  needUint32,
  nodeError,
  outOfRange,
  refused,
} = require('./errors.js');
const { digestFacts, needDigest } = require('./hash.js');
const { handleOf, secretBytes } = require('./keys.js');
const { finishLater } = require('./later.js');
const { openssl } = require('./natives.js');
const { since } = require('../versions.js');

// Node's buffer.kMaxLength.
const MAX_LENGTH = since(22) ? 2 ** 53 - 1 : 2 ** 32;

// Node checks the callback before it looks for the digest.
function pbkdf2Job(
  [password, salt, iterations, keylen, digest],
  checked = () => {},
) {
  needString(digest, 'digest');
  const secret = toBytes(password, 'password');
  const salted = toBytes(salt, 'salt');
  needInt32(iterations, 'iterations', 1);
  needInt32(keylen, 'keylen', 0);
  checked();
  const id = needDigest(digest);
  return () => {
    // OpenSSL 3.5, which those Nodes have, refuses it.
    if (keylen === 0 && since(22)) throw new Error(NO_BITS());
    return fromBytes(openssl.pbkdf2(id, secret, salted, iterations, keylen));
  };
}

const NO_BITS = () =>
  since(26) ? 'PBKDF2 derivation failed' : 'Deriving bits failed';

function pbkdf2(password, salt, iterations, keylen, digest, callback) {
  const isShort = typeof digest === 'function';
  const name = isShort ? undefined : digest;
  const done = isShort ? digest : callback;
  const job = pbkdf2Job([password, salt, iterations, keylen, name], () =>
    needFunction(done),
  );
  finishLater(done, job);
}

const pbkdf2Sync = (...args) => pbkdf2Job(args)();

const incompatible = (one, other) =>
  nodeError(
    TypeError,
    'ERR_INCOMPATIBLE_OPTION_PAIR',
    `Option "${one}" cannot be used in combination with option "${other}"`,
  );

const bothNames = (short, long) =>
  since(23)
    ? incompatible(short, long)
    : cryptoError('SCRYPT_INVALID_PARAMETER', 'Invalid scrypt parameter');

const COSTS = [
  ['N', 'cost', 16_384],
  ['r', 'blockSize', 8],
  ['p', 'parallelization', 1],
];

function costsOf(options) {
  const costs = {};
  for (const [short, long, standard] of COSTS) {
    let value;
    if (options[short] !== undefined) {
      value = options[short];
      needUint32(value, short);
    }
    if (options[long] !== undefined) {
      if (value !== undefined) throw bothNames(short, long);
      value = options[long];
      needUint32(value, long);
    }
    costs[short] = value || standard;
  }
  return costs;
}

function scryptJob(password, salt, keylen, options, checked = () => {}) {
  const secret = toBytes(password, 'password');
  const salted = toBytes(salt, 'salt');
  needInt32(keylen, 'keylen', 0);
  const { N, r, p } = costsOf(options ?? {});
  let maxmem = 32 << 20;
  if (options?.maxmem !== undefined) {
    maxmem = options.maxmem;
    needInteger(maxmem, 'maxmem', 0);
  }
  checked();
  checkCosts(N, r, p, maxmem || 32 << 20);
  return () => fromBytes(openssl.scrypt(secret, salted, N, r, p, keylen));
}

function checkCosts(...costs) {
  try {
    openssl.checkScrypt(...costs);
  } catch (error) {
    if (error.code !== 'ERR_CRYPTO_INVALID_SCRYPT_PARAMS') throw error;
    throw nativeError(RangeError, error.code, error.message);
  }
}

function scrypt(password, salt, keylen, options, callback) {
  // Without a callback the options are taken for it.
  const isShort = typeof options === 'function' || callback === undefined;
  const given = isShort ? undefined : options;
  const done = isShort ? options : callback;
  const check = () => needFunction(done);
  finishLater(done, scryptJob(password, salt, keylen, given, check));
}

const scryptSync = (password, salt, keylen, options) =>
  scryptJob(password, salt, keylen, options)();

function keyMaterial(key) {
  if (handleOf(key) !== undefined || secretBytes(key) !== undefined) {
    const { needSecret } = require('./key-input.js');
    return needSecret(key);
  }
  if (typeof key === 'string' || isView(key) || isAnyBuffer(key)) return key;
  throw invalidType(
    'ikm',
    [
      'string',
      'SecretKeyObject',
      'ArrayBuffer',
      'TypedArray',
      'DataView',
      'Buffer',
    ],
    key,
  );
}

function byteSource(value, name) {
  if (typeof value === 'string' || isView(value) || isAnyBuffer(value)) {
    return value;
  }
  throw invalidType(
    name,
    ['string', 'ArrayBuffer', 'TypedArray', 'DataView', 'Buffer'],
    value,
  );
}

const noKey = () =>
  new Error(since(25) ? 'HKDF derivation failed' : 'Deriving bits failed');

function hkdfJob([hash, key, salt, info, length], checked = () => {}) {
  needString(hash, 'digest');
  const secret = keyMaterial(key);
  const salted = byteSource(salt, 'salt');
  const label = byteSource(info, 'info');
  needInteger(length, 'length', 0, MAX_LENGTH);
  if (sizeOf(label) > 1024) {
    throw outOfRange(
      'info',
      'must not contain more than 1024 bytes',
      sizeOf(label),
    );
  }
  checked();
  const id = needDigest(hash);
  if (length > 255 * digestFacts(id).size) {
    throw refused('INVALID_KEYLEN', 'Invalid key length', RangeError);
  }
  return () => {
    if (length === 0 && since(22)) throw noKey();
    try {
      return openssl.hkdf(id, secret, salted, label, length).buffer;
    } catch (error) {
      // OpenSSL's digests of any length have no HMAC.
      throw error.message === 'HKDF failed' ? noKey() : error;
    }
  };
}

const hkdf = (hash, key, salt, info, length, callback) => {
  const job = hkdfJob([hash, key, salt, info, length], () =>
    needFunction(callback),
  );
  finishLater(callback, job);
};

const hkdfSync = (...args) => hkdfJob(args)();

// In the order of their numbers.
const ARGON2 = ['argon2d', 'argon2i', 'argon2id'];

function argon2Job(algorithm, parameters) {
  needString(algorithm, 'algorithm');
  needOneOf(algorithm, 'algorithm', ARGON2);
  needObject(parameters, 'parameters');
  const { parallelism, tagLength, memory, passes } = parameters;
  const bytes = (name, value) => toBytes(value, `parameters.${name}`);
  const message = bytes('message', parameters.message);
  const nonce = bytes('nonce', parameters.nonce);
  const range = (name, value, min, max) =>
    needInteger(value, `parameters.${name}`, min, max);
  if (sizeOf(message) > 2 ** 32 - 1) {
    range('message.byteLength', sizeOf(message), 0, 2 ** 32 - 1);
  }
  range('nonce.byteLength', sizeOf(nonce), 8, 2 ** 32 - 1);
  range('parallelism', parallelism, 1, 2 ** 24 - 1);
  range('tagLength', tagLength, 4, 2 ** 32 - 1);
  range('memory', memory, 8 * parallelism, 2 ** 32 - 1);
  range('passes', passes, 1, 2 ** 32 - 1);
  const optional = (name) =>
    parameters[name] === undefined ? '' : bytes(name, parameters[name]);
  const secret = optional('secret');
  const associated = optional('associatedData');
  return () =>
    fromBytes(
      openssl.argon2(
        ARGON2.indexOf(algorithm),
        message,
        nonce,
        parallelism,
        tagLength,
        memory,
        passes,
        secret,
        associated,
      ),
    );
}

function argon2(algorithm, parameters, callback) {
  const job = argon2Job(algorithm, parameters);
  needFunction(callback);
  finishLater(callback, job);
}

const argon2Sync = (algorithm, parameters) =>
  argon2Job(algorithm, parameters)();

module.exports = {
  argon2,
  argon2Sync,
  hkdf,
  hkdfSync,
  pbkdf2,
  pbkdf2Sync,
  scrypt,
  scryptSync,
};
