'use strict';

const {
  buffers,
  chunkBytes,
  copyOf,
  fromBytes,
  isView,
  toViewBytes,
} = require('./bytes.js');
const {
  cryptoError,
  invalidDigest,
  invalidType,
  needObject,
  needOneOf,
  needString,
  needUint32,
  nodeError,
  textOption,
} = require('./errors.js');
const { openssl } = require('./natives.js');
const { LazyTransform, extendLazily } = require('../lazy-streams.js');
const { since } = require('../versions.js');

// Data up to this size waits in JavaScript for the digest: one native call
// instead of three and an object.
const SHORT = 4096;
const sizeOf = (data) =>
  typeof data === 'string' ? data.length : data.byteLength;
const isShort = (data) => sizeOf(data) <= SHORT;
const ids = new Map();

/** The native's number of a digest; -1 for an unknown one. */
function digestId(name) {
  let id = ids.get(name);
  if (id === undefined) {
    id = openssl.digestId(name);
    ids.set(name, id);
  }
  return id;
}

/**
 * Throws as Node does for a digest that OpenSSL knows, and whose provider is
 * not loaded.
 *
 * @param {0 | 1 | 2} tells of the first error alone, of the others, of all
 */
const refuseUnloaded = (name, tells) => openssl.digestRefuse(name, tells);
const tellsOfHash = since(24) ? 1 : 2;
const tellsOfHmac = since(24) ? 0 : 1;

/** @throws {TypeError} for an unknown one */
function needDigest(name) {
  const id = digestId(name);
  if (id < 0) throw invalidDigest(name);
  return id;
}

// OpenSSL 3.5 has no length of their own for them, and Node keeps that of 3.0.
const SHAKE_SIZES = { 'SHAKE-128': 16, 'SHAKE-256': 32 };

const facts = new Map();
function digestFacts(id) {
  let known = facts.get(id);
  if (known === undefined) {
    const [own, isFree, blockSize, name] = openssl.digestFacts(id);
    const hasSize = own > 0;
    const size = hasSize ? own : (SHAKE_SIZES[name] ?? 0);
    known = { size, hasSize, isFree, blockSize, name };
    facts.set(id, known);
  }
  return known;
}

const finalized = () => cryptoError('HASH_FINALIZED', 'Digest already called');

// The first piece of data waits; more of it goes into a native's state.
class Pending {
  piece = undefined;
  state = undefined;

  add(data, open, update) {
    if (this.state === undefined) {
      if (this.piece === undefined && isShort(data)) {
        this.piece = typeof data === 'string' ? data : copyOf(data);
        return;
      }
      this.state = open();
      if (this.piece !== undefined) update(this.state, this.piece);
      this.piece = undefined;
    }
    update(this.state, data);
  }
}

// Streams add what the stream took, and look at nothing of it.
const transforming = (add) =>
  function _transform(chunk, encoding, callback) {
    const own = this[HIDDEN];
    if (own.isDone) {
      // Older Nodes drop what comes after the digest.
      callback(since(24) ? updateFailed() : undefined);
      return;
    }
    add(own, chunkBytes(chunk, encoding));
    callback();
  };

const updateFailed = () =>
  cryptoError('HASH_UPDATE_FAILED', 'Hash update failed');

/**
 * The name of an encoding for text; undefined where bytes are the result. The
 * native makes hexadecimal text, for which Buffer need not be loaded.
 */
function textName(encoding) {
  if (encoding === 'hex') return encoding;
  if (!encoding || encoding === 'buffer') return undefined;
  const name = `${encoding}`;
  return buffers().isEncoding(name) ? name : undefined;
}

const toBuffer = (result) =>
  typeof result === 'string'
    ? buffers().from(result, 'hex')
    : fromBytes(result);

function encoded(result, encoding) {
  if (typeof result === 'string') return result;
  return fromBytes(result, encoding);
}

const flushed = ({ flushed: bytes }, name) =>
  name === undefined ? bytes : bytes.toString(name);

const HIDDEN = Symbol('internal');

function Hash(algorithm, options) {
  if (!new.target) return new Hash(algorithm, options);
  if (algorithm?.[HIDDEN] === undefined) needString(algorithm, 'algorithm');
  const length =
    typeof options === 'object' && options !== null
      ? options.outputLength
      : undefined;
  if (length !== undefined) needUint32(length, 'options.outputLength');
  const from = algorithm[HIDDEN];
  const id = from === undefined ? digestId(algorithm) : from.id;
  if (id < 0) {
    refuseUnloaded(algorithm, tellsOfHash);
    throw new Error('Digest method not supported');
  }
  const { size, hasSize, isFree } = digestFacts(id);
  if (length !== undefined && length !== size && !isFree) {
    // OpenSSL's own refusal of such a length.
    const error = new Error(
      'error:030000B2:digital envelope routines::not XOF or invalid length',
    );
    error.library = 'digital envelope routines';
    error.reason = 'not XOF or invalid length';
    error.code = 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH';
    throw error;
  }
  const pending = new Pending();
  if (from?.pending.state !== undefined) {
    pending.state = openssl.hashNew(id, from.pending.state);
  } else if (from !== undefined) {
    pending.piece = from.pending.piece;
  }
  Object.defineProperty(this, HIDDEN, {
    value: {
      id,
      length: length ?? (hasSize ? -1 : size),
      pending,
      isDone: false,
      result: undefined,
    },
  });
  LazyTransform.call(this, options);
}

const addToHash = (state, data) => openssl.hashUpdate(state, data);
const addTo = ({ id, pending }, bytes) =>
  pending.add(bytes, () => openssl.hashNew(id), addToHash);
extendLazily(Hash, LazyTransform, {
  constructor: Hash,
  _transform: transforming(addTo),
  // Its digest may still be asked for afterwards.
  _flush(callback) {
    const own = this[HIDDEN];
    const { isDone } = own;
    own.flushed = isDone ? toBuffer(own.result) : this.digest();
    own.isDone = isDone;
    this.push(own.flushed);
    callback();
  },
  copy(options) {
    const own = this[HIDDEN];
    if (own.isDone) throw finalized();
    return new Hash({ [HIDDEN]: own }, options);
  },
  update(data, encoding) {
    const own = this[HIDDEN];
    if (own.isDone) throw finalized();
    const bytes = toViewBytes(data, 'data', encoding);
    // A stream that has ended takes no more, but for nothing; older Nodes
    // ignore it.
    if (own.flushed === undefined) {
      addTo(own, bytes);
    } else if (since(22) && sizeOf(bytes) > 0) {
      throw updateFailed();
    }
    return this;
  },
  digest(outputEncoding) {
    const own = this[HIDDEN];
    if (own.isDone) throw finalized();
    const name = textName(outputEncoding);
    own.isDone = true;
    if (own.flushed !== undefined) return flushed(own, name);
    const { pending } = own;
    const result =
      pending.state === undefined
        ? openssl.hash(own.id, pending.piece ?? '', name === 'hex', own.length)
        : openssl.hashFinal(pending.state, name === 'hex', own.length);
    own.pending = undefined;
    own.result = result;
    return encoded(result, name);
  },
});

function Hmac(algorithm, key, options) {
  if (!new.target) return new Hmac(algorithm, key, options);
  needString(algorithm, 'hmac');
  const { keyBytes } = require('./key-input.js');
  const secret = keyBytes(key, textOption(options, 'encoding'));
  if (digestId(algorithm) < 0) refuseUnloaded(algorithm, tellsOfHmac);
  const id = needDigest(algorithm);
  const pending = new Pending();
  // Those of a free length cannot be used so, which OpenSSL says at once.
  if (digestFacts(id).isFree) pending.state = openssl.hmacNew(id, secret);
  Object.defineProperty(this, HIDDEN, {
    value: { id, secret, pending, isDone: false },
  });
  LazyTransform.call(this, options);
}

const addToHmac = ({ id, pending, secret }, bytes) =>
  pending.add(bytes, () => openssl.hmacNew(id, secret), openssl.hmacUpdate);
extendLazily(Hmac, LazyTransform, {
  constructor: Hmac,
  _transform: transforming(addToHmac),
  _flush(callback) {
    this.push(this.digest());
    this[HIDDEN].hasEnded = true;
    callback();
  },
  update(data, encoding) {
    const own = this[HIDDEN];
    if (own.isDone && (since(24) || !own.hasEnded)) throw finalized();
    const bytes = toViewBytes(data, 'data', encoding);
    if (own.hasEnded) throw updateFailed();
    addToHmac(own, bytes);
    return this;
  },
  // Unlike a hash, a second digest is empty and no error.
  digest(outputEncoding) {
    const own = this[HIDDEN];
    const name = textName(outputEncoding);
    if (own.isDone) {
      // It has the state of a digest now, not of a stream's end.
      own.hasEnded = false;
      const isText = outputEncoding && outputEncoding !== 'buffer';
      return isText ? '' : buffers().alloc(0);
    }
    own.isDone = true;
    const { pending, id, secret } = own;
    const result =
      pending.state === undefined
        ? openssl.hmac(id, secret, pending.piece ?? '', name === 'hex')
        : openssl.hmacFinal(pending.state, name === 'hex');
    own.pending = undefined;
    own.secret = undefined;
    return encoded(result, name);
  },
});

const ENCODINGS = [
  'buffer',
  'utf8',
  'utf-8',
  'hex',
  'base64',
  'base64url',
  'latin1',
  'binary',
  'ascii',
  'ucs2',
  'ucs-2',
  'utf16le',
  'utf-16le',
];

function needFreeLength(algorithm, length) {
  const { size, isFree } = digestFacts(digestId(algorithm));
  if (isFree || length === size) return;
  throw new Error(
    `Output length ${length} is invalid for ${algorithm}, which does not support XOF`,
  );
}

function hash(algorithm, input, options) {
  needString(algorithm, 'algorithm');
  if (typeof input !== 'string' && !isView(input)) {
    throw invalidType(
      'input',
      ['Buffer', 'TypedArray', 'DataView', 'string'],
      input,
    );
  }
  let outputEncoding;
  let length;
  if (options === undefined || typeof options === 'string') {
    outputEncoding = options ?? 'hex';
  } else if (!since(24)) {
    needString(options, 'outputEncoding');
  } else {
    needObject(options, 'options');
    ({ outputEncoding = 'hex', outputLength: length } = options);
  }
  if (length !== undefined) needUint32(length, 'outputLength');
  needString(outputEncoding, 'outputEncoding');
  const name = outputEncoding.toLowerCase() || 'utf8';
  if (!ENCODINGS.includes(name)) {
    throw nodeError(
      TypeError,
      'ERR_INVALID_ARG_VALUE',
      `The argument 'outputEncoding' is invalid. Received '${outputEncoding}'`,
    );
  }
  if (digestId(algorithm) < 0) {
    refuseUnloaded(algorithm, tellsOfHash);
    throw new Error(`Digest method ${algorithm} is not supported`);
  }
  if (length !== undefined) needFreeLength(algorithm, length);
  const hashed = new Hash(
    algorithm,
    length === undefined ? undefined : { outputLength: length },
  );
  return hashed.update(input).digest(name);
}

/** Sorted, and once each, whatever the case. */
function uniqueNames(list) {
  const map = new Map();
  for (const name of list) {
    const key = name.toLowerCase();
    // The one in lower case wins.
    if (name !== key && map.has(key)) continue;
    map.set(key, name);
  }
  return [...map.values()].sort();
}

let names;
const getHashes = () => [...(names ??= uniqueNames(openssl.hashNames()))];

module.exports = {
  Hash,
  Hmac,
  createHash: (algorithm, options) => new Hash(algorithm, options),
  createHmac: (algorithm, key, options) => new Hmac(algorithm, key, options),
  digestFacts,
  digestId,
  getHashes,
  hash,
  needDigest,
  needOneOf,
  refuseUnloaded,
  uniqueNames,
};
