'use strict';

/* global host */
const { bytesOf, typedArrayKind } = require('../lib/buffer-source.js');
const { nodeError } = require('../lib/node-error.js');
const { since, sinceLate24 } = require('../lib/versions.js');
const { makeUuids } = require('../lib/crypto/uuid.js');
const { enumerable, noArguments, tag } = require('../lib/webidl.js');

// Most jobs ask for random bytes or a digest alone.
const moduleOf = (id) => require('sw:library').moduleOf(id);
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

const { digest } = SubtleCrypto.prototype;
delete SubtleCrypto.prototype.digest;

// How many arguments each needs, in Node's order.
const METHODS = {
  encrypt: 3,
  decrypt: 3,
  sign: 3,
  verify: 4,
  digest: 2,
  generateKey: 3,
  deriveKey: 5,
  deriveBits: 2,
  importKey: since(24) ? 5 : 4,
  exportKey: 2,
  wrapKey: 4,
  unwrapKey: 7,
};
if (since(24, 7)) {
  Object.assign(METHODS, {
    getPublicKey: 2,
    encapsulateBits: 2,
    encapsulateKey: 5,
    decapsulateBits: 3,
    decapsulateKey: 6,
  });
}

// Methods with keys are a bundle of their own.
function withKeys(method, count) {
  const run = {
    async [method](...args) {
      check(this);
      needArguments(method, count, args.length);
      return require('sw:subtle').methods[method](...args);
    },
  }[method];
  // Earlier Nodes do without importKey's fifth, which they have as well.
  const value = method === 'importKey' ? 5 : count;
  return Object.defineProperty(run, 'length', { value });
}

for (const [method, count] of Object.entries(METHODS)) {
  SubtleCrypto.prototype[method] =
    method === 'digest' ? digest : withKeys(method, count);
}
enumerable(SubtleCrypto, Object.keys(METHODS));
tag(SubtleCrypto);
noArguments(SubtleCrypto);

const PREFIX = "Failed to execute 'supports' on 'SubtleCrypto'";
// Operations for which Node 24 reads the third argument as an algorithm.
const WITH_TWO = ['deriveKey', 'wrapKey', 'unwrapKey'];
WITH_TWO.push('encapsulateKey', 'decapsulateKey');
let supported;
let converters;

function converted(kind, value, place, enforceRange = undefined) {
  converters ??= moduleOf('internal/crypto/webidl').converters;
  const context = `${place} argument`;
  return converters[kind](value, { prefix: PREFIX, context, enforceRange });
}

const algorithmOf = (value, place) =>
  converted('AlgorithmIdentifier', value, place);
const bitsOf = (value) => converted('unsigned long', value, '3rd', true);

// Each reads `lengthOrAdditionalAlgorithm` into both of its meanings.
function thirdOf24(operation, third) {
  if (WITH_TWO.includes(operation)) return [null, algorithmOf(third, '3rd')];
  if (operation !== 'deriveBits' || third === null) return [null];
  return [bitsOf(third)];
}

function thirdOf26(_operation, third) {
  if (third === null) return [null];
  if (typeof third === 'number') return [bitsOf(third)];
  return [null, algorithmOf(third, '3rd')];
}

const thirdOf = since(26) ? thirdOf26 : thirdOf24;

function checkConstructor(value) {
  const { emitExperimentalWarning } = moduleOf('internal/util');
  emitExperimentalWarning('The supports Web Crypto API method');
  if (value !== SubtleCrypto) throw invalidThis('SubtleCrypto constructor');
}

// Earlier versions of Node 24 read its arguments in ways of their own.
if (sinceLate24()) {
  SubtleCrypto.supports = {
    supports(operation, algorithm, lengthOrAdditionalAlgorithm = null) {
      if (!since(26)) checkConstructor(this);
      const { requiredArguments } = moduleOf('internal/crypto/webidl');
      requiredArguments(arguments.length, 2, { prefix: PREFIX });
      const name = converted('DOMString', operation, '1st');
      const wanted = algorithmOf(algorithm, '2nd');
      const [length, other] = thirdOf(name, lengthOrAdditionalAlgorithm);
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
