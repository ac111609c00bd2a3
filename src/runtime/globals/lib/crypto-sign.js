'use strict';

// Signatures, encryption and key pairs of node:crypto.

const { fromBytes, toBytes } = require('./crypto-bytes.js');
const { later } = require('./crypto-random.js');
const { makeKey, privateKey, publicKey } = require('./key-object.js');
const { needFunction } = require('./node-error.js');

const asymmetric = () => require('sw:asymmetric');

/** The base of Sign and Verify: the data, and the hash's name. */
class Signing {
  #algorithm;
  #parts = [];

  constructor(algorithm) {
    require('./crypto-hash.js').needHash(algorithm);
    this.#algorithm = algorithm;
  }

  update(data, encoding = undefined) {
    this.#parts.push(Uint8Array.from(toBytes(data, encoding)));
    return this;
  }

  write(data, encoding = undefined) {
    this.update(data, encoding);
    return true;
  }

  end(data = undefined, encoding = undefined) {
    if (data !== undefined) this.update(data, encoding);
    return this;
  }

  static take(signing) {
    const { Buffer } = require('node:buffer');
    const data = Uint8Array.from(Buffer.concat(signing.#parts));
    signing.#parts = [];
    return [signing.#algorithm, data];
  }
}
const { take } = Signing;
delete Signing.take;

class Sign extends Signing {
  sign(key, encoding = undefined) {
    const [material, options] = privateKey(key);
    const bytes = asymmetric().sign(material, ...take(this), options);
    return fromBytes(bytes, encoding);
  }
}

class Verify extends Signing {
  verify(key, signature, encoding = undefined) {
    const [material, options] = publicKey(key);
    const given = Uint8Array.from(toBytes(signature, encoding, 'signature'));
    return asymmetric().verify(material, ...take(this), given, options);
  }
}

function finish(callback, work) {
  if (callback === undefined) return work();
  needFunction(callback);
  try {
    later(callback, null, work());
  } catch (error) {
    later(callback, error);
  }
  return undefined;
}

function sign(algorithm, data, key, callback = undefined) {
  return finish(callback, () => {
    const [material, options] = privateKey(key);
    const bytes = Uint8Array.from(toBytes(data));
    return fromBytes(asymmetric().sign(material, algorithm, bytes, options));
  });
}

function verify(algorithm, data, key, signature, callback = undefined) {
  return finish(callback, () => {
    const [material, options] = publicKey(key);
    const bytes = Uint8Array.from(toBytes(data));
    const given = Uint8Array.from(toBytes(signature, undefined, 'signature'));
    return asymmetric().verify(material, algorithm, bytes, given, options);
  });
}

function cipherOptions({ oaepLabel, encoding, ...options }) {
  const label =
    oaepLabel === undefined
      ? undefined
      : Uint8Array.from(toBytes(oaepLabel, encoding, 'oaepLabel'));
  return { ...options, oaepLabel: label };
}

function publicEncrypt(key, data) {
  const [material, options] = publicKey(key);
  const bytes = Uint8Array.from(toBytes(data, options.encoding, 'buffer'));
  return fromBytes(
    asymmetric().encrypt(material, bytes, cipherOptions(options)),
  );
}

function privateDecrypt(key, data) {
  const [material, options] = privateKey(key);
  const bytes = Uint8Array.from(toBytes(data, options.encoding, 'buffer'));
  return fromBytes(
    asymmetric().decrypt(material, bytes, cipherOptions(options)),
  );
}

function generateKeyPairSync(type, options = {}) {
  const pair = asymmetric().generate(type, options);
  const shown = (material, encoding) => {
    const key = makeKey(material);
    return encoding === undefined ? key : key.export(encoding);
  };
  return {
    publicKey: shown(asymmetric().publicOf(pair), options.publicKeyEncoding),
    privateKey: shown(pair, options.privateKeyEncoding),
  };
}

function generateKeyPair(type, ...rest) {
  const callback = rest.pop();
  needFunction(callback);
  try {
    const { publicKey: open, privateKey: secret } = generateKeyPairSync(
      type,
      ...rest,
    );
    later(callback, null, open, secret);
  } catch (error) {
    later(callback, error);
  }
}
Object.defineProperty(
  generateKeyPair,
  Symbol.for('nodejs.util.promisify.custom'),
  {
    value: async (type, options) => generateKeyPairSync(type, options),
  },
);

function diffieHellman(keys) {
  const [own] = privateKey(keys.privateKey);
  const [other] = publicKey(keys.publicKey);
  return fromBytes(asymmetric().agree(own, other));
}

module.exports = {
  Sign,
  Verify,
  createSign: (algorithm) => new Sign(algorithm),
  createVerify: (algorithm) => new Verify(algorithm),
  diffieHellman,
  generateKeyPair,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  sign,
  verify,
};
