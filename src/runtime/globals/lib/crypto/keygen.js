'use strict';

const { isView } = require('./bytes.js');
const {
  cryptoError,
  invalidDigest,
  invalidType,
  invalidValue,
  needFunction,
  needInt32,
  needInteger,
  needObject,
  needOneOf,
  needString,
  needUint32,
  nodeError,
} = require('./errors.js');
const { digestId } = require('./hash.js');
const { readOutput, writeKey } = require('./key-encoding.js');
const { exportJwk } = require('./jwk.js');
const { makePrivate, makePublic, makeSecret } = require('./keys.js');
const { later } = require('./later.js');
const { openssl } = require('./natives.js');
const { since } = require('../versions.js');

/** How one half of a pair is wanted; undefined for a KeyObject. */
function outputOf(name, options, kind, isPublic) {
  const encoding = options?.[name];
  if (encoding === undefined || encoding === null) return undefined;
  if (typeof encoding !== 'object') {
    throw invalidValue(`options.${name}`, encoding);
  }
  return readOutput(encoding, kind, isPublic, name);
}

function digestOption(value, name, other) {
  if (value !== undefined) {
    needString(value, `options.${name}`);
    if (other && value !== other) throw invalidValue(`options.${name}`, value);
  }
  const text = other ?? value;
  if (text === undefined) return -1;
  const id = digestId(text);
  if (id < 0) {
    if (name === 'hash' || !text) throw invalidDigest(text);
    throw cryptoError(
      'INVALID_DIGEST',
      `Invalid MGF1 digest: ${text}`,
      TypeError,
    );
  }
  return id;
}

// Names that were replaced long ago.
function noLonger(options, name) {
  if (options[name] === undefined) return;
  if (since(26)) {
    throw invalidValue(
      `options.${name}`,
      options[name],
      'is no longer supported',
    );
  }
  require('node:process').emitWarning(
    `"options.${name}" is deprecated, use "options.${name}Algorithm" instead.`,
    'DeprecationWarning',
    'DEP0154',
  );
}

function rsa(options, isPss) {
  needObject(options, 'options');
  const { modulusLength } = options;
  needUint32(modulusLength, 'options.modulusLength');
  let { publicExponent } = options;
  if (publicExponent === undefined || publicExponent === null) {
    publicExponent = 0x10001;
  } else {
    needUint32(publicExponent, 'options.publicExponent');
  }
  if (!isPss) {
    return () => openssl.generateRsa(modulusLength, publicExponent, false);
  }
  const { hash, mgf1Hash, hashAlgorithm, mgf1HashAlgorithm } = options;
  const { saltLength } = options;
  if (saltLength !== undefined) {
    needInt32(saltLength, 'options.saltLength', 0);
  }
  if (hashAlgorithm !== undefined) {
    needString(hashAlgorithm, 'options.hashAlgorithm');
  }
  if (mgf1HashAlgorithm !== undefined) {
    needString(mgf1HashAlgorithm, 'options.mgf1HashAlgorithm');
  }
  for (const name of ['hash', 'mgf1Hash']) noLonger(options, name);
  const digest = digestOption(hash, 'hash', hashAlgorithm);
  const mgf1 = digestOption(mgf1Hash, 'mgf1Hash', mgf1HashAlgorithm);
  return () =>
    openssl.generateRsa(
      modulusLength,
      publicExponent,
      true,
      digest,
      mgf1,
      saltLength ?? -1,
    );
}

function dsa(options) {
  needObject(options, 'options');
  const { modulusLength, divisorLength } = options;
  needUint32(modulusLength, 'options.modulusLength');
  const isGiven = divisorLength !== undefined && divisorLength !== null;
  if (isGiven) needInt32(divisorLength, 'options.divisorLength', 0);
  return () => openssl.generateDsa(modulusLength, divisorLength ?? -1);
}

function ec(options) {
  needObject(options, 'options');
  const { namedCurve, paramEncoding } = options;
  needString(namedCurve, 'options.namedCurve');
  if (![undefined, null, 'named', 'explicit'].includes(paramEncoding)) {
    throw invalidValue('options.paramEncoding', paramEncoding);
  }
  const nid = openssl.curveNid(namedCurve);
  if (nid === 0) {
    throw cryptoError('INVALID_CURVE', 'Invalid EC curve name', TypeError);
  }
  return () => openssl.generateEc(nid, paramEncoding === 'explicit');
}

const isGiven = (value) => value !== undefined && value !== null;

const incompatible = (one, other) =>
  nodeError(
    TypeError,
    'ERR_INCOMPATIBLE_OPTION_PAIR',
    `Option "${one}" cannot be used in combination with option "${other}"`,
  );

function dh(options) {
  needObject(options, 'options');
  const { group, primeLength, prime, generator } = options;
  if (isGiven(group)) {
    for (const [name, value] of Object.entries({
      prime,
      primeLength,
      generator,
    })) {
      if (isGiven(value)) throw incompatible('group', name);
    }
    if (typeof group !== 'string') {
      throw invalidType('options.group', 'string', group);
    }
    const known = openssl.dhPrime(group);
    if (known === undefined) {
      throw cryptoError('UNKNOWN_DH_GROUP', 'Unknown DH group');
    }
    return () => openssl.generateDh(known, 2);
  }
  if (isGiven(prime)) {
    if (isGiven(primeLength)) throw incompatible('prime', 'primeLength');
    if (!isView(prime)) {
      throw invalidType(
        'options.prime',
        ['Buffer', 'TypedArray', 'DataView'],
        prime,
      );
    }
  } else if (isGiven(primeLength)) {
    needInt32(primeLength, 'options.primeLength', 0);
  } else {
    throw nodeError(
      TypeError,
      'ERR_MISSING_OPTION',
      'At least one of the group, prime, or primeLength options is required',
    );
  }
  if (isGiven(generator)) needInt32(generator, 'options.generator', 0);
  return () => openssl.generateDh(prime ?? primeLength, generator ?? 2);
}

const PLAIN = ['ed25519', 'ed448', 'x25519', 'x448'];
const LATTICE = ['ml-dsa-44', 'ml-dsa-65', 'ml-dsa-87'];
const KEM = ['ml-kem-512', 'ml-kem-768', 'ml-kem-1024'];
const SLH = ['sha2', 'shake'].flatMap((hash) =>
  ['128', '192', '256'].flatMap((bits) => [
    `slh-dsa-${hash}-${bits}f`,
    `slh-dsa-${hash}-${bits}s`,
  ]),
);

function kinds() {
  const known = new Map();
  for (const name of PLAIN) known.set(name, () => () => make(name));
  if (since(24, 6)) {
    for (const name of [...LATTICE, ...KEM, ...SLH]) {
      known.set(name, () => () => make(name));
    }
  }
  known.set('rsa', (options) => rsa(options, false));
  known.set('rsa-pss', (options) => rsa(options, true));
  known.set('dsa', dsa);
  known.set('ec', ec);
  known.set('dh', dh);
  return known;
}
let known;

const make = (name) => openssl.generateKey(name.toUpperCase());

function jobOf(type, options) {
  needString(type, 'type');
  const publicOutput = outputOf('publicKeyEncoding', options, type, true);
  const privateOutput = outputOf('privateKeyEncoding', options, type, false);
  if (options !== undefined) needObject(options, 'options');
  known ??= kinds();
  const read = known.get(type);
  if (read === undefined) {
    throw invalidValue('type', type, 'must be a supported key type');
  }
  const generate = read(options);
  return () => {
    const handle = generate();
    return {
      publicKey: shown(handle, publicOutput, false),
      privateKey: shown(handle, privateOutput, true),
    };
  };
}

function shown(handle, output, isPrivate) {
  if (output === undefined) {
    return isPrivate ? makePrivate(handle) : makePublic(handle);
  }
  if (output.format === 'jwk') return exportJwk(handle, isPrivate);
  return writeKey(handle, isPrivate, output);
}

const generateKeyPairSync = (type, options) => jobOf(type, options)();

function generateKeyPair(type, options, callback) {
  const isShort = typeof options === 'function';
  const done = isShort ? options : callback;
  needFunction(done);
  const job = jobOf(type, isShort ? undefined : options);
  let pair;
  try {
    pair = job();
  } catch (error) {
    later(done, error);
    return;
  }
  later(done, null, pair.publicKey, pair.privateKey);
}

const promisedKeyPair = (type, options) =>
  new Promise((resolve, reject) => {
    generateKeyPair(type, options, (error, publicKey, privateKey) => {
      if (error) reject(error);
      else resolve({ publicKey, privateKey });
    });
  });

function secretJob(type, options) {
  needString(type, 'type');
  if (options !== undefined) needObject(options, 'options');
  if (type === 'hmac') {
    needObject(options, 'options');
    needInteger(options.length, 'options.length', 8, 2 ** 31 - 1);
  } else if (type === 'aes') {
    needObject(options, 'options');
    needOneOf(options.length, 'options.length', [128, 192, 256]);
  } else {
    throw invalidValue('type', type, 'must be a supported key type');
  }
  const bytes = Math.floor(options.length / 8);
  return () => makeSecret(openssl.randomBytes(bytes));
}

const generateKeySync = (type, options) => secretJob(type, options)();

function generateKey(type, options, callback) {
  const isShort = typeof options === 'function';
  const done = isShort ? options : callback;
  needFunction(done);
  const job = secretJob(type, isShort ? undefined : options);
  later(done, null, job());
}

module.exports = {
  generateKey,
  generateKeyPair,
  generateKeyPairSync,
  generateKeySync,
  promisedKeyPair,
};
