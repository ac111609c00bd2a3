'use strict';

const {
  buffers,
  chunkBytes,
  fromBytes,
  sizeOf,
  toBytes,
  toViewBytes,
} = require('./bytes.js');
const {
  invalidState,
  invalidType,
  invalidValue,
  needInt32,
  needObject,
  needString,
  needUint32,
  nodeError,
  textOption,
} = require('./errors.js');
const { digestId, uniqueNames } = require('./hash.js');
const { openssl } = require('./natives.js');
const { since } = require('../versions.js');
const { LazyTransform, extendLazily } = require('../lazy-streams.js');

function uintOption(options, name) {
  const value = options?.[name];
  if (value === undefined || value === null) return -1;
  if (value >>> 0 !== value) throw invalidValue(`options.${name}`, value);
  return value;
}

function opened(cipher, key, iv, options, encrypts) {
  needString(cipher, 'cipher');
  const encoding = textOption(options, 'encoding');
  const { keyBytes } = require('./key-input.js');
  const secret = keyBytes(key, encoding);
  const start = iv === null ? null : toBytes(iv, 'iv');
  const tagLength = uintOption(options, 'authTagLength');
  return openssl.cipherNew(cipher, secret, start, encrypts, tagLength);
}

const FULL_TAG = 16;
const STATE = Symbol('state');

/** The rest of text that ends within a character waits. */
function decoded(cipher, encoding, bytes, method) {
  const { StringDecoder } = require('node:string_decoder');
  const own = cipher[STATE];
  const normal = normalized(encoding);
  if (own.decoder === undefined) {
    own.decoder = new StringDecoder(encoding);
    cipher._decoder = own.decoder;
    own.encoding = normal;
  } else if (own.encoding !== normal) {
    if (normal === undefined) throw unknownEncoding(encoding);
    if (since(24)) {
      throw invalidValue(
        'outputEncoding',
        encoding,
        `cannot be changed from '${own.encoding}'`,
      );
    }
    throw nodeError(
      Error,
      'ERR_INTERNAL_ASSERTION',
      'Cannot change encoding\nThis is caused by either a bug in Node.js or incorrect usage of Node.js internals.\nPlease open an issue with this stack trace at https://github.com/nodejs/node/issues\n',
    );
  }
  return own.decoder[method](fromBytes(bytes));
}

const ALIASES = {
  'utf-8': 'utf8',
  'ucs-2': 'utf16le',
  ucs2: 'utf16le',
  'utf-16le': 'utf16le',
  binary: 'latin1',
};
function normalized(encoding) {
  const low = `${encoding}`.toLowerCase();
  if (!buffers().isEncoding(low)) return undefined;
  return ALIASES[low] ?? low;
}
const unknownEncoding = (encoding) =>
  nodeError(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${encoding}`);

const methods = {
  update(data, inputEncoding, outputEncoding) {
    const bytes = toViewBytes(data, 'data', inputEncoding);
    const out = openssl.cipherUpdate(this[STATE].native, bytes);
    if (outputEncoding && outputEncoding !== 'buffer') {
      return decoded(this, outputEncoding, out, 'write');
    }
    return fromBytes(out);
  },
  final(outputEncoding) {
    const out = openssl.cipherFinal(this[STATE].native);
    if (outputEncoding && outputEncoding !== 'buffer') {
      return decoded(this, outputEncoding, out, 'end');
    }
    return fromBytes(out);
  },
  setAutoPadding(on) {
    if (!openssl.cipherPadding(this[STATE].native, Boolean(on))) {
      throw invalidState('setAutoPadding');
    }
    return this;
  },
  setAAD(data, options) {
    const encoding = textOption(options, 'encoding');
    const length = uintOption(options, 'plaintextLength');
    const bytes = toBytes(data, 'aadbuf', encoding);
    if (!openssl.cipherAad(this[STATE].native, bytes, length)) {
      throw invalidState('setAAD');
    }
    return this;
  },
  _transform(chunk, encoding, callback) {
    const { native } = this[STATE];
    const bytes = chunkBytes(chunk, encoding);
    this.push(fromBytes(openssl.cipherUpdate(native, bytes)));
    callback();
  },
  _flush(callback) {
    try {
      this.push(fromBytes(openssl.cipherFinal(this[STATE].native)));
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  },
};

function init(cipher, native, options) {
  Object.defineProperty(cipher, STATE, { value: { native } });
  // Node's member, which its objects show first.
  cipher._decoder = null;
  LazyTransform.call(cipher, options);
}

function Cipheriv(cipher, key, iv, options) {
  if (!new.target) return new Cipheriv(cipher, key, iv, options);
  init(this, opened(cipher, key, iv, options, true), options);
}
extendLazily(Cipheriv, LazyTransform, {
  constructor: Cipheriv,
  ...methods,
  getAuthTag() {
    const tag = openssl.cipherTag(this[STATE].native);
    if (tag === undefined) throw invalidState('getAuthTag');
    return fromBytes(tag);
  },
});

// Node 26 refuses these tags, and those before 24 take them in silence. Other
// modes take no tag of a length that nobody has named.
let isTold = !since(24) || since(26);
function tellOfShortTag() {
  if (isTold) return;
  isTold = true;
  require('node:process').emitWarning(
    'Using AES-GCM authentication tags of less than 128 bits without specifying the authTagLength option when initializing decryption is deprecated.',
    'DeprecationWarning',
    'DEP0182',
  );
}

function Decipheriv(cipher, key, iv, options) {
  if (!new.target) return new Decipheriv(cipher, key, iv, options);
  init(this, opened(cipher, key, iv, options, false), options);
  this[STATE].isTagNamed = Number.isInteger(options?.authTagLength);
}
extendLazily(Decipheriv, LazyTransform, {
  constructor: Decipheriv,
  ...methods,
  setAuthTag(data, encoding) {
    const tag = toBytes(data, 'buffer', encoding);
    if (!openssl.cipherSetTag(this[STATE].native, tag)) {
      throw invalidState('setAuthTag');
    }
    if (!this[STATE].isTagNamed && sizeOf(tag) < FULL_TAG) tellOfShortTag();
    return this;
  },
});

function cipherLengths(options) {
  if (options === undefined) return {};
  needObject(options, 'options');
  const { keyLength, ivLength } = options;
  const needLength = since(26) ? needUint32 : needInt32;
  if (keyLength !== undefined) needLength(keyLength, 'options.keyLength');
  if (ivLength !== undefined) needLength(ivLength, 'options.ivLength');
  return { keyLength, ivLength };
}

function getCipherInfo(nameOrNid, options) {
  // Node 26 looks at them first.
  const early = since(26) ? cipherLengths(options) : undefined;
  if (typeof nameOrNid !== 'string' && typeof nameOrNid !== 'number') {
    throw invalidType('nameOrNid', ['string', 'number'], nameOrNid);
  }
  if (typeof nameOrNid === 'number' && !since(26)) {
    needInt32(nameOrNid, 'nameOrNid');
  }
  const { keyLength, ivLength } = early ?? cipherLengths(options);
  if (nameOrNid !== nameOrNid >> 0 && typeof nameOrNid === 'number') {
    return undefined;
  }
  if (keyLength < 0 || ivLength < 0) return undefined;
  const found = openssl.cipherInfo(nameOrNid, keyLength, ivLength);
  if (found === undefined) return undefined;
  const [mode, name, nid, blockSize, iv, key] = found;
  if (since(26)) {
    return {
      __proto__: null,
      mode: mode || undefined,
      name,
      nid: nid || undefined,
      keyLength: key,
      blockSize: blockSize || undefined,
      ivLength: iv || undefined,
    };
  }
  const info = Object.create(null);
  if (mode) info.mode = mode;
  info.name = name;
  if (nid) info.nid = nid;
  if (blockSize > 0) info.blockSize = blockSize;
  if (iv > 0) info.ivLength = iv;
  info.keyLength = key;
  return Object.assign({}, info);
}

let names;
const getCiphers = () => [...(names ??= uniqueNames(openssl.cipherNames()))];

// ---- keys that encrypt

const Operation = {
  publicEncrypt: 0,
  privateDecrypt: 1,
  privateEncrypt: 2,
  publicDecrypt: 3,
};
const PKCS1 = 1;
const OAEP = 4;

function crypt(operation, isPrivate, standardPadding) {
  return (options, buffer) => {
    const { preparedPrivate, preparedPublic } = require('./key-input.js');
    const open = isPrivate
      ? preparedPrivate(options, since(24) ? 'privateKey' : 'key')
      : preparedPublic(options);
    const padding = options.padding || standardPadding;
    const { oaepHash, encoding, oaepLabel } = options;
    if (oaepHash !== undefined) needString(oaepHash, 'key.oaepHash');
    const label =
      oaepLabel === undefined
        ? undefined
        : toBytes(oaepLabel, 'key.oaepLabel', encoding);
    const data = toBytes(buffer, 'buffer', encoding);
    const key = open(true);
    const id = oaepHash === undefined ? -1 : digestId(oaepHash);
    if (oaepHash !== undefined && id < 0) {
      throw nodeError(
        Error,
        'ERR_OSSL_EVP_INVALID_DIGEST',
        'Invalid digest used',
      );
    }
    return fromBytes(openssl.crypt(operation, key, data, padding, id, label));
  };
}

module.exports = {
  Cipheriv,
  Decipheriv,
  createCipheriv: (cipher, key, iv, options) =>
    new Cipheriv(cipher, key, iv, options),
  createDecipheriv: (cipher, key, iv, options) =>
    new Decipheriv(cipher, key, iv, options),
  getCipherInfo,
  getCiphers,
  privateDecrypt: crypt(Operation.privateDecrypt, true, OAEP),
  privateEncrypt: crypt(Operation.privateEncrypt, true, PKCS1),
  publicDecrypt: crypt(Operation.publicDecrypt, false, PKCS1),
  publicEncrypt: crypt(Operation.publicEncrypt, false, OAEP),
};
