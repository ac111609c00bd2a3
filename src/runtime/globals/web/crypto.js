'use strict';

/* global host */
const { bytesOf } = require('../lib/buffer-source.js');
const {
  enumerable,
  isObject,
  need,
  noArguments,
  tag,
} = require('../lib/webidl.js');

const types = require('node:util/types');

const KEY = Symbol('construct');
const MAX_BYTES = 65_536;
const DIGESTS = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];
const hex = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

function domException(message, name) {
  const { DOMException } = require('sw:events');
  return new DOMException(message, name);
}

function needBytes(data) {
  const bytes = bytesOf(data);
  if (bytes !== undefined) return bytes;
  throw new TypeError('SubtleCrypto.digest: not an ArrayBuffer or a view');
}

class SubtleCrypto {
  // Only what this class made has it.
  #isOwn = true;

  constructor(key) {
    if (key !== KEY) throw new TypeError('Illegal constructor');
  }

  static check(value) {
    void value.#isOwn;
  }

  async digest(algorithm, data) {
    void this.#isOwn;
    need(2, arguments.length, 'SubtleCrypto.digest');
    needBytes(data);
    const isDictionary = isObject(algorithm);
    const wanted = isDictionary ? algorithm.name : algorithm;
    if (isDictionary && wanted === undefined) {
      throw new TypeError('SubtleCrypto.digest: the algorithm has no name');
    }
    const name = `${wanted}`.toUpperCase();
    // The bytes are taken at the time of the call.
    const bytes = needBytes(data).slice();
    if (!DIGESTS.includes(name)) {
      throw domException('Unrecognized algorithm name', 'NotSupportedError');
    }
    const hash = require('sw:hashes').findHash(name);
    return hash(bytes).slice().buffer;
  }
}

const { check } = SubtleCrypto;
delete SubtleCrypto.check;

const METHODS = {
  decrypt: 3,
  deriveBits: 2,
  deriveKey: 5,
  encrypt: 3,
  exportKey: 2,
  generateKey: 3,
  importKey: 5,
  sign: 3,
  unwrapKey: 7,
  verify: 4,
  wrapKey: 4,
};

// Methods with keys are a bundle of their own.
for (const [method, count] of Object.entries(METHODS)) {
  const run = {
    async [method](...args) {
      check(this);
      need(count, args.length, `SubtleCrypto.${method}`);
      return require('sw:subtle').methods[method](...args);
    },
  }[method];
  Object.defineProperty(run, 'length', { value: count });
  SubtleCrypto.prototype[method] = run;
}
enumerable(SubtleCrypto, ['digest', ...Object.keys(METHODS)]);
tag(SubtleCrypto);
noArguments(SubtleCrypto);

const subtle = new SubtleCrypto(KEY);

class Crypto {
  // Only what this class made has it.
  #subtle = subtle;

  constructor(key) {
    if (key !== KEY) throw new TypeError('Illegal constructor');
  }

  get subtle() {
    return this.#subtle;
  }

  getRandomValues(array) {
    void this.#subtle;
    need(1, arguments.length, 'Crypto.getRandomValues');
    if (!ArrayBuffer.isView(array)) {
      throw new TypeError('Crypto.getRandomValues: not a view of a buffer');
    }
    const integers =
      types.isTypedArray(array) &&
      !types.isFloat16Array?.(array) &&
      !types.isFloat32Array(array) &&
      !types.isFloat64Array(array);
    if (!integers) {
      const message = 'The data argument must be an integer-type TypedArray';
      throw domException(message, 'TypeMismatchError');
    }
    if (array.byteLength > MAX_BYTES) {
      const { QuotaExceededError } = require('sw:events');
      throw new QuotaExceededError(
        `The requested length exceeds ${MAX_BYTES} bytes`,
        { quota: MAX_BYTES, requested: array.byteLength },
      );
    }
    host.randomFill(
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
    );
    return array;
  }

  randomUUID() {
    void this.#subtle;
    const bytes = new Uint8Array(16);
    host.randomFill(bytes);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let text = '';
    for (let index = 0; index < 16; index += 1) {
      const dash = index === 4 || index === 6 || index === 8 || index === 10;
      text += (dash ? '-' : '') + hex[bytes[index]];
    }
    return text;
  }
}
enumerable(Crypto, ['subtle', 'getRandomValues', 'randomUUID']);
tag(Crypto);
noArguments(Crypto);

module.exports = { Crypto, SubtleCrypto, crypto: new Crypto(KEY) };
