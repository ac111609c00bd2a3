'use strict';

const { buffers, copyOf, fromBytes } = require('./bytes.js');
const {
  cryptoError,
  invalidType,
  invalidValue,
  needObject,
  needOneOf,
} = require('./errors.js');
const { openssl } = require('./natives.js');
const { since, sinceLate24 } = require('../versions.js');

// Few keys leave, so what writes them is loaded late.
const encodings = () => require('./key-encoding.js');
const jwks = () => require('./jwk.js');
const rawKeys = () => require('./raw-keys.js');

const TYPES = ['secret', 'public', 'private'];

/** @typedef {object} Handle an EVP_PKEY, as natives give it */

// Older Nodes keep what they know of a key in members with such symbols.
const SHOWN = new Map(
  ['kKeyType', 'kAsymmetricKeyType', 'kAsymmetricKeyDetails'].map((name) => [
    name,
    Symbol(name),
  ]),
);
const showsMembers = !since(24);

function show(key, name, value) {
  if (showsMembers) key[SHOWN.get(name)] = value;
}

class KeyObject {
  #type;
  #inner;

  constructor(type, inner) {
    if (!TYPES.includes(type)) throw invalidValue('type', type);
    if (typeof inner !== 'object' || inner === null) {
      throw invalidType('handle', 'object', inner);
    }
    this.#type = type;
    this.#inner = inner;
    show(this, 'kKeyType', type);
  }

  get type() {
    return this.#type;
  }

  /** The KeyObject with what a CryptoKey has in it. */
  static from(key) {
    const { keyObjectIn } = require('./crypto-key.js');
    const found = keyObjectIn(key);
    if (found === undefined) throw invalidType('key', 'CryptoKey', key);
    // Node has asked for the kind before.
    if (showsMembers && found.type !== 'secret') void found.asymmetricKeyType;
    return found;
  }

  equals(other) {
    if (innerOf(other) === undefined) {
      throw invalidType('otherKeyObject', 'KeyObject', other);
    }
    if (other.#type !== this.#type) return false;
    if (this.#type === 'secret') {
      return openssl.timingSafeEqual(this.#inner, other.#inner) ?? false;
    }
    const isEqual = openssl.keyEquals(this.#inner, other.#inner);
    if (isEqual !== undefined) return isEqual;
    throw cryptoError('UNSUPPORTED_OPERATION', 'Unsupported crypto operation');
  }

  static innerOf(value) {
    return typeof value === 'object' && value !== null && #inner in value
      ? value.#inner
      : undefined;
  }
}
const { innerOf } = KeyObject;
delete KeyObject.innerOf;
const { get: typeGetter } = Object.getOwnPropertyDescriptor(
  KeyObject.prototype,
  'type',
);
Object.defineProperty(KeyObject.prototype, Symbol.toStringTag, {
  value: 'KeyObject',
  configurable: true,
});

const { toCryptoKey } = {
  toCryptoKey(algorithm, extractable, usages) {
    return require('sw:subtle').toCryptoKey(
      this,
      algorithm,
      extractable,
      usages,
    );
  },
};

class SecretKeyObject extends KeyObject {
  constructor(bytes) {
    super('secret', bytes);
  }

  get symmetricKeySize() {
    return innerOf(this).length;
  }

  export(options = undefined) {
    if (options !== undefined) {
      needObject(options, 'options');
      needOneOf(options.format, 'options.format', [undefined, 'buffer', 'jwk']);
      if (options.format === 'jwk') {
        return { kty: 'oct', k: fromBytes(innerOf(this), 'base64url') };
      }
    }
    return buffers().from(innerOf(this));
  }
}

const DETAILED = ['rsa', 'rsa-pss', 'dsa', 'ec'];

class AsymmetricKeyObject extends KeyObject {
  #kind;
  #details;

  get asymmetricKeyType() {
    if (this.#kind === undefined) {
      this.#kind = openssl.keyKind(innerOf(this));
      show(this, 'kAsymmetricKeyType', this.#kind);
    }
    return this.#kind;
  }

  get asymmetricKeyDetails() {
    const kind = this.asymmetricKeyType;
    if (!DETAILED.includes(kind)) return {};
    if (this.#details === undefined) {
      const { detailsOf } = require('./key-details.js');
      this.#details = detailsOf(innerOf(this), kind);
      show(this, 'kAsymmetricKeyDetails', this.#details);
    }
    return this.#details;
  }
}

class PublicKeyObject extends AsymmetricKeyObject {
  constructor(handle) {
    super('public', handle);
  }

  export(options) {
    if (options?.format === 'jwk') {
      return jwks().exportJwk(innerOf(this), false);
    }
    if (options?.format === 'raw-public' && rawKeys().isRaw(options.format)) {
      return rawKeys().exportRaw(innerOf(this), options.format, options.type);
    }
    const { readOutput, writeKey } = encodings();
    const output = readOutput(options, this.asymmetricKeyType, true);
    return writeKey(innerOf(this), false, output);
  }
}

class PrivateKeyObject extends AsymmetricKeyObject {
  constructor(handle) {
    super('private', handle);
  }

  export(options) {
    const format = options?.format;
    const { incompatible, readOutput, writeKey } = encodings();
    if (
      sinceLate24() &&
      options?.passphrase !== undefined &&
      format !== 'pem' &&
      format !== 'der'
    ) {
      throw incompatible(format, 'does not support encryption');
    }
    if (format === 'jwk' || rawKeys().isRaw(format)) {
      if (options.passphrase !== undefined) {
        throw incompatible(format, 'does not support encryption');
      }
      if (format === 'jwk') return jwks().exportJwk(innerOf(this), true);
      if (format !== 'raw-public') {
        return rawKeys().exportRaw(innerOf(this), format);
      }
    }
    const output = readOutput(options, this.asymmetricKeyType, false);
    return writeKey(innerOf(this), true, output);
  }
}

if (since(22, 10)) {
  Object.defineProperty(KeyObject.prototype, 'toCryptoKey', {
    value: toCryptoKey,
    writable: true,
    configurable: true,
  });
}

/** The bytes of a secret KeyObject; undefined for what is none. */
function secretBytes(key) {
  const inner = innerOf(key);
  return inner !== undefined && key.type === 'secret' ? inner : undefined;
}

/** The native of an asymmetric KeyObject; undefined for what is none. */
function handleOf(key) {
  const inner = innerOf(key);
  return inner !== undefined && key.type !== 'secret' ? inner : undefined;
}

/** Another KeyObject of the same key, which nothing changes. */
function cloneKeyObject(key) {
  const inner = innerOf(key);
  const { type } = key;
  if (type === 'secret') return new SecretKeyObject(inner);
  return type === 'public'
    ? new PublicKeyObject(inner)
    : new PrivateKeyObject(inner);
}

module.exports = {
  KeyObject,
  cloneKeyObject,
  handleOf,
  isKeyObject: (value) => innerOf(value) !== undefined,
  makePrivate: (handle) => new PrivateKeyObject(handle),
  makePublic: (handle) => new PublicKeyObject(handle),
  makeSecret: (data) => new SecretKeyObject(copyOf(data)),
  secretBytes,
  typeOf: (key) => typeGetter.call(key),
};
