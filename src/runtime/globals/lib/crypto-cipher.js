'use strict';

const { fromBytes, toBytes } = require('./crypto-bytes.js');
const { secretOf } = require('./key-object.js');
const { LazyTransform } = require('./lazy-transform.js');
const { invalidArgument, nodeError } = require('./node-error.js');

const BLOCK = 16;
const KEY =
  'of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, KeyObject, or CryptoKey';
const NIDS = {
  ecb: [418, 422, 426],
  cbc: [419, 423, 427],
  ctr: [904, 905, 906],
  gcm: [895, 898, 901],
};
const SIZES = [16, 24, 32];
const TAG_LENGTHS = [4, 8, 12, 13, 14, 15, 16];

/** By OpenSSL's names: what kind of cipher each is. */
const ciphers = new Map();
for (const [mode, nids] of Object.entries(NIDS)) {
  for (const [at, nid] of nids.entries()) {
    const keyLength = SIZES[at];
    const bits = keyLength * 8;
    const own = `aes-${bits}-${mode}`;
    const name = mode === 'gcm' ? `id-aes${bits}-GCM` : own;
    const info = { mode, name: name.toLowerCase(), nid };
    info.blockSize = mode === 'cbc' || mode === 'ecb' ? BLOCK : 1;
    if (mode !== 'ecb') info.ivLength = mode === 'gcm' ? 12 : BLOCK;
    info.keyLength = keyLength;
    for (const known of new Set([own, name.toLowerCase()])) {
      ciphers.set(known, info);
    }
    if (mode === 'cbc') ciphers.set(`aes${bits}`, info);
  }
}

const getCiphers = () => [...ciphers.keys()].sort();

function getCipherInfo(nameOrNid, options = {}) {
  const info =
    typeof nameOrNid === 'number'
      ? [...ciphers.values()].find(({ nid }) => nid === nameOrNid)
      : ciphers.get(`${nameOrNid}`.toLowerCase());
  if (info === undefined) return undefined;
  const { keyLength = info.keyLength, ivLength = info.ivLength } = options;
  if (keyLength !== info.keyLength || !fits(info, ivLength)) return undefined;
  // The order in which Node has them.
  const { mode, name, nid, blockSize } = info;
  const length = ivLength === undefined ? {} : { ivLength };
  return { mode, name, nid, blockSize, ...length, keyLength };
}

const fits = ({ mode, ivLength }, length) =>
  mode === 'gcm' ? length > 0 : length === ivLength;

const invalidState = (member) =>
  nodeError(
    Error,
    'ERR_CRYPTO_INVALID_STATE',
    member ? `Invalid state for operation ${member}` : 'Invalid state',
  );

function opensslError(number, reason) {
  const code = `ERR_OSSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
  const text = `error:${number}:Provider routines::${reason}`;
  const library = 'Provider routines';
  return Object.assign(new Error(text), { library, reason, code });
}

const badTag = () =>
  new Error('Unsupported state or unable to authenticate data');

function bytesOfKey(key) {
  const secret = secretOf(key);
  if (secret !== undefined) return secret;
  const { isKey } = require('sw:subtle');
  if (isKey(key)) {
    const { KeyObject } = require('./key-object.js');
    return secretOf(KeyObject.from(key));
  }
  try {
    return toBytes(key, 'utf8');
  } catch {
    throw invalidArgument('key', KEY, key);
  }
}

function open(cipher, key, iv, encrypts) {
  if (typeof cipher !== 'string') {
    throw invalidArgument('cipher', 'of type string', cipher);
  }
  const info = ciphers.get(cipher.toLowerCase());
  const keyBytes = bytesOfKey(key);
  const ivBytes = iv === null ? undefined : toBytes(iv, 'utf8', 'iv');
  if (info === undefined) {
    throw nodeError(Error, 'ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher');
  }
  if (keyBytes.length !== info.keyLength) {
    throw nodeError(
      RangeError,
      'ERR_CRYPTO_INVALID_KEYLEN',
      'Invalid key length',
    );
  }
  const given = ivBytes?.length || undefined;
  if (!fits(info, given)) {
    throw nodeError(
      TypeError,
      'ERR_CRYPTO_INVALID_IV',
      'Invalid initialization vector',
    );
  }
  const { MODES } = require('./cipher-modes.js');
  const used = info.mode === 'ecb' ? undefined : ivBytes;
  return MODES[info.mode](keyBytes, used, encrypts);
}

function checkTagLength(length, wanted = undefined) {
  if (TAG_LENGTHS.includes(length) && (wanted ?? length) === length) return;
  throw nodeError(
    TypeError,
    'ERR_CRYPTO_INVALID_AUTH_TAG',
    `Invalid authentication tag length: ${length}`,
  );
}

class Cipher extends LazyTransform {
  #state;
  #encrypts;
  #tagLength;
  #tag;
  #done = false;

  constructor(encrypts, [cipher, key, iv, options]) {
    super();
    this.#state = open(cipher, key, iv, encrypts);
    this.#encrypts = encrypts;
    this.#tagLength = options?.authTagLength;
    if (this.#state.tag && this.#tagLength !== undefined) {
      checkTagLength(this.#tagLength);
    }
  }

  update(data, inputEncoding = undefined, outputEncoding = undefined) {
    const bytes = toBytes(data, inputEncoding);
    if (this.#done) throw new Error('Trying to add data in unsupported state');
    return fromBytes(this.#state.update(bytes), outputEncoding);
  }

  final(outputEncoding = undefined) {
    if (this.#done) throw invalidState();
    this.#done = true;
    const rest = this.#state.final();
    if (rest === undefined) throw this.#unfinished();
    if (this.#state.tag) this.#authenticate();
    return fromBytes(rest, outputEncoding);
  }

  #unfinished() {
    const whole = !this.#encrypts && this.#state.heldBlock();
    return whole
      ? opensslError('1C800064', 'bad decrypt')
      : opensslError('1C80006B', 'wrong final block length');
  }

  #authenticate() {
    const tag = this.#state.tag();
    if (this.#encrypts) {
      this.#tag = tag.slice(0, this.#tagLength ?? BLOCK);
      return;
    }
    if (this.#tag === undefined) throw badTag();
    let difference = 0;
    for (const [at, byte] of this.#tag.entries()) difference |= byte ^ tag[at];
    if (difference !== 0) throw badTag();
  }

  setAutoPadding(on = true) {
    if (this.#done) throw invalidState('setAutoPadding');
    this.#state.setAutoPadding?.(Boolean(on));
    return this;
  }

  setAAD(data, options = undefined) {
    const bytes = toBytes(data, options?.encoding, 'buffer');
    if (this.#done || !this.#state.setAAD?.(bytes)) {
      throw invalidState('setAAD');
    }
    return this;
  }

  getAuthTag() {
    if (!this.#encrypts || this.#tag === undefined) {
      throw invalidState('getAuthTag');
    }
    return fromBytes(this.#tag.slice());
  }

  setAuthTag(data, encoding = undefined) {
    const tag = toBytes(data, encoding, 'buffer');
    if (this.#done || this.#tag !== undefined || !this.#state.tag) {
      throw invalidState('setAuthTag');
    }
    checkTagLength(tag.length, this.#tagLength);
    this.#tag = tag.slice();
    return this;
  }

  _transform(chunk, encoding, callback) {
    this.push(this.update(chunk, encoding));
    callback();
  }

  _flush(callback) {
    try {
      this.push(this.final());
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  }
}

class Cipheriv extends Cipher {
  constructor(...args) {
    super(true, args);
  }
}
class Decipheriv extends Cipher {
  constructor(...args) {
    super(false, args);
  }
}

module.exports = {
  Cipheriv,
  Decipheriv,
  createCipheriv: (...args) => new Cipheriv(...args),
  createDecipheriv: (...args) => new Decipheriv(...args),
  getCipherInfo,
  getCiphers,
};
