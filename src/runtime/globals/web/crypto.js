'use strict';

/* global host */
const { bytesOf, typedArrayKind } = require('../lib/buffer-source.js');
const { nodeError } = require('../lib/node-error.js');
const { since } = require('../lib/versions.js');
const { makeUuids } = require('../lib/crypto/uuid.js');
const {
  enumerable,
  isObject,
  need,
  noArguments,
  tag,
} = require('../lib/webidl.js');

const { randomUUID } = makeUuids((bytes) => host.randomFill(bytes));
const KEY = Symbol('construct');
const MAX_BYTES = 65_536;
const DIGESTS = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];
if (since(24, 7)) DIGESTS.push('SHA3-256', 'SHA3-384', 'SHA3-512');

const invalidThis = (name) =>
  nodeError(
    TypeError,
    'ERR_INVALID_THIS',
    `Value of "this" must be of type ${name}`,
  );
const illegal = () =>
  nodeError(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');

function domException(message, name) {
  const { DOMException } = require('sw:events');
  return new DOMException(message, name);
}

function needArguments(method, count, given, object = 'SubtleCrypto') {
  if (given >= count) return;
  const what = count === 1 ? 'argument' : 'arguments';
  throw Object.assign(
    new TypeError(
      `Failed to execute '${method}' on '${object}': ${count} ${what} required, but only ${given} present.`,
    ),
    { code: 'ERR_MISSING_ARGS' },
  );
}

const isShared = (data) =>
  (ArrayBuffer.isView(data) ? data.buffer : data) instanceof SharedArrayBuffer;

// Only other arguments than most need the conversions, which are another
// bundle's.
function digestArguments(algorithm, data) {
  if (typeof algorithm === 'string' && !isShared(data)) {
    const bytes = bytesOf(data);
    if (bytes !== undefined) return [algorithm.toUpperCase(), bytes];
  }
  const { argumentsOf, nameOf } = require('sw:subtle');
  const types = ['AlgorithmIdentifier', 'BufferSource'];
  const [wanted, source] = argumentsOf('digest', types, [algorithm, data]);
  return [nameOf(wanted).toUpperCase(), bytesOf(source, true)];
}

class SubtleCrypto {
  // Only what this class made has it.
  #isOwn = true;

  constructor(key) {
    if (key !== KEY) throw illegal();
  }

  static check(value) {
    if (typeof value === 'object' && value !== null && #isOwn in value) return;
    throw invalidThis('SubtleCrypto');
  }

  async digest(algorithm, data) {
    check(this);
    needArguments('digest', 2, arguments.length);
    const [name, given] = digestArguments(algorithm, data);
    // The bytes are taken at the time of the call.
    const bytes = given.slice();
    if (!DIGESTS.includes(name)) {
      throw domException('Unrecognized algorithm name', 'NotSupportedError');
    }
    const { openssl } = require('sw:openssl');
    const id = openssl.digestId(name.replace(/^SHA-/, 'SHA'));
    return openssl.hash(id, bytes, false, -1).buffer;
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
  importKey: since(24) ? 5 : 4,
  sign: 3,
  unwrapKey: 7,
  verify: 4,
  wrapKey: 4,
};
if (since(24, 7)) {
  Object.assign(METHODS, {
    decapsulateBits: 3,
    decapsulateKey: 6,
    encapsulateBits: 2,
    encapsulateKey: 5,
    getPublicKey: 2,
  });
}

// Methods with keys are a bundle of their own.
for (const [method, count] of Object.entries(METHODS)) {
  const run = {
    async [method](...args) {
      check(this);
      needArguments(method, count, args.length);
      return require('sw:subtle').methods[method](...args);
    },
  }[method];
  Object.defineProperty(run, 'length', { value: count });
  SubtleCrypto.prototype[method] = run;
}
enumerable(SubtleCrypto, ['digest', ...Object.keys(METHODS)]);
tag(SubtleCrypto);
noArguments(SubtleCrypto);

let supported;
const where = 'SubtleCrypto.supports';

const identifier = (value) => (isObject(value) ? value : `${value}`);

function bitsOf(value) {
  const bits = Math.trunc(value);
  if (bits >= 0 && bits <= 0xffff_ffff) return bits;
  throw new TypeError(`${where}: not a number of bits`);
}

// Node 24's, an experiment, reads its arguments in another way.
if (since(26)) {
  SubtleCrypto.supports = {
    supports(operation, algorithm, lengthOrAdditionalAlgorithm = null) {
      need(2, arguments.length, where);
      const name = `${operation}`;
      const wanted = identifier(algorithm);
      const third = lengthOrAdditionalAlgorithm;
      const isLength = third === null || typeof third === 'number';
      const length = typeof third === 'number' ? bitsOf(third) : null;
      const other = isLength ? undefined : identifier(third);
      supported ??= require('sw:subtle').makeSupports(DIGESTS);
      return supported(name, wanted, length, other);
    },
  }.supports;
}

const subtle = new SubtleCrypto(KEY);

class Crypto {
  // Only what this class made has it.
  #subtle = subtle;

  constructor(key) {
    if (key !== KEY) throw illegal();
  }

  static check(value) {
    if (typeof value === 'object' && value !== null && #subtle in value) return;
    throw invalidThis('Crypto');
  }

  get subtle() {
    needCrypto(this);
    return this.#subtle;
  }

  getRandomValues(array) {
    needCrypto(this);
    needArguments('getRandomValues', 1, arguments.length, 'Crypto');
    const kind = typedArrayKind(array);
    const integers = kind !== undefined && !kind.startsWith('Float');
    // Newer versions read the argument as Web IDL does.
    if (!ArrayBuffer.isView(array) && since(25)) {
      throw Object.assign(
        new TypeError(
          "Failed to execute 'getRandomValues' on 'Crypto': 1st argument is not an ArrayBufferView.",
        ),
        { code: 'ERR_INVALID_ARG_TYPE' },
      );
    }
    if (!integers) {
      const message = 'The data argument must be an integer-type TypedArray';
      throw domException(message, 'TypeMismatchError');
    }
    if (array.byteLength > MAX_BYTES) {
      const { QuotaExceededError } = require('sw:events');
      throw new QuotaExceededError(
        'The requested length exceeds 65,536 bytes',
        { quota: MAX_BYTES, requested: array.byteLength },
      );
    }
    host.randomFill(
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
    );
    return array;
  }

  randomUUID() {
    needCrypto(this);
    return randomUUID();
  }
}
const { check: needCrypto } = Crypto;
delete Crypto.check;
enumerable(Crypto, ['subtle', 'getRandomValues', 'randomUUID']);
tag(Crypto);
noArguments(Crypto);

module.exports = { Crypto, SubtleCrypto, crypto: new Crypto(KEY) };
