'use strict';

// Message authentication codes of all kinds that OpenSSL has.

const { chunkBytes, fromBytes, isAnyBuffer, isView, toViewBytes } =
  require('./bytes.js');
const {
  invalidType,
  invalidValue,
  make,
  needObject,
  needString,
  needUint32,
  refused,
  nativeError,
} = require('./errors.js');
const { isKeyObject, secretBytes } = require('./keys.js');
const { LazyTransform, extendLazily } = require('../lazy-streams.js');
const { openssl } = require('./natives.js');

const BYTES = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

// The options that each kind takes, by OpenSSL's names of both.
const TAKES = {
  __proto__: null,
  hmac: ['digest'],
  cmac: ['cipher'],
  gmac: ['cipher', 'iv'],
  'kmac-128': ['customization', 'outputLength'],
  'kmac-256': ['customization', 'outputLength'],
  blake2bmac: ['customization', 'salt', 'outputLength'],
  blake2smac: ['customization', 'salt', 'outputLength'],
  poly1305: [],
  siphash: ['outputLength'],
};
const NEEDS = {
  __proto__: null,
  hmac: 'digest',
  cmac: 'cipher',
  gmac: 'cipher',
};
const NAMES = [
  'digest',
  'cipher',
  'iv',
  'customization',
  'salt',
  'outputLength',
];

function needName(value, name) {
  needString(value, name);
  if (value.length === 0 || value.includes('\0')) {
    throw invalidValue(
      name,
      value,
      'must be non-empty and contain no NUL bytes',
    );
  }
}

function needBytes(value, name) {
  if (!isView(value) && !isAnyBuffer(value)) {
    throw invalidType(name, BYTES, value);
  }
}

const CHECKS = {
  digest: needName,
  cipher: needName,
  iv: needBytes,
  customization: needBytes,
  salt: needBytes,
  outputLength: needUint32,
};

function readOptions(options) {
  const read = {};
  if (options === undefined) return read;
  needObject(options, 'options');
  for (const name of NAMES) {
    const value = options[name];
    if (value === undefined) continue;
    CHECKS[name](value, `options.${name}`);
    read[name] = value;
  }
  return read;
}

function keyOf(key) {
  if (isKeyObject(key) && key.type === 'secret') return secretBytes(key);
  if (!isView(key) && !isAnyBuffer(key)) {
    throw invalidType('key', [...BYTES, 'KeyObject'], key);
  }
  return key;
}

const invalidOption = (name, reason) =>
  nativeError(
    TypeError,
    'ERR_INVALID_ARG_VALUE',
    `The property 'options.${name}' ${reason}`,
  );

function checkFor(kind, algorithm, options) {
  const takes = TAKES[kind] ?? NAMES;
  const needed = NEEDS[kind];
  const shown = kind.toUpperCase();
  if (needed !== undefined && options[needed] === undefined) {
    throw invalidOption(needed, `is required for ${shown}`);
  }
  for (const name of NAMES) {
    if (options[name] === undefined || takes.includes(name)) continue;
    throw invalidOption(name, `is not supported by MAC ${algorithm}`);
  }
  if (kind === 'gmac' && !(options.iv?.byteLength > 0)) {
    throw invalidOption('iv', `must be non-empty for ${shown}`);
  }
}

function open(algorithm, key, options) {
  needName(algorithm, 'algorithm');
  const read = readOptions(options);
  const secret = keyOf(key);
  const kind = openssl.macKind(algorithm);
  if (kind === undefined) {
    throw refused('INVALID_MAC', `Invalid MAC: ${algorithm}`, TypeError);
  }
  checkFor(kind, algorithm, read);
  const values = NAMES.map((name) => read[name]);
  const state = openssl.macNew(algorithm, secret, ...values);
  const { outputLength: length } = read;
  if (length !== undefined && openssl.macSize(state) !== length) {
    throw invalidOption('outputLength', `was not honored by MAC ${algorithm}`);
  }
  return state;
}

function normalized(encoding, name) {
  needString(encoding, name);
  const { normalizeEncoding } = require('sw:library').moduleOf('internal/util');
  const known = normalizeEncoding(encoding);
  if (known === undefined) throw invalidValue(name, encoding);
  return known;
}

const HIDDEN = Symbol('state');

function finish(mac) {
  const own = mac[HIDDEN];
  own.isDone = true;
  return openssl.macFinal(own.state);
}

const finalized = () => make('ERR_CRYPTO_MAC_FINALIZED');

function add(mac, data) {
  const own = mac[HIDDEN];
  try {
    openssl.macUpdate(own.state, data);
  } catch (error) {
    own.isDone = true;
    throw error;
  }
}

function Mac(algorithm, key, options) {
  if (!new.target) return new Mac(algorithm, key, options);
  const state = open(algorithm, key, options);
  Object.defineProperty(this, HIDDEN, { value: { state, isDone: false } });
  LazyTransform.call(this, options);
}

/** Calls back with what `work()` throws. */
function step(mac, callback, work) {
  try {
    if (mac[HIDDEN].isDone) throw finalized();
    work();
  } catch (error) {
    callback(error);
    return;
  }
  callback();
}

extendLazily(Mac, LazyTransform, {
  constructor: Mac,
  _transform(chunk, encoding, callback) {
    step(this, callback, () => add(this, chunkBytes(chunk, encoding)));
  },
  _flush(callback) {
    step(this, callback, () => {
      const bytes = fromBytes(finish(this));
      if (bytes.length > 0) this.push(bytes);
    });
  },
  update(data, encoding) {
    if (this[HIDDEN].isDone) throw finalized();
    if (typeof data !== 'string') {
      add(this, toViewBytes(data, 'data'));
      return this;
    }
    const known =
      encoding === undefined
        ? undefined
        : normalized(encoding, 'inputEncoding');
    add(this, toViewBytes(data, 'data', known));
    return this;
  },
  final(outputEncoding) {
    if (this[HIDDEN].isDone) throw finalized();
    const isBytes =
      outputEncoding === undefined ||
      (typeof outputEncoding === 'string' &&
        outputEncoding.toLowerCase() === 'buffer');
    const known = isBytes
      ? undefined
      : normalized(outputEncoding, 'outputEncoding');
    return fromBytes(finish(this), known);
  },
});

const getMacs = () => [...new Set(openssl.macNames())];

module.exports = {
  createMac: (algorithm, key, options) => new Mac(algorithm, key, options),
  getMacs,
};
