'use strict';

// Keys that crypto.subtle refuses: usages come before data, and each Node has
// words of its own.

const { same } = require('./support.js');

const outcomes = `async (calls) => {
  const all = [];
  for (const call of calls) {
    try {
      const { type, usages, algorithm, ...rest } = await call();
      all.push([type, usages, algorithm?.name, Object.keys(rest)]);
    } catch ({ name, message, code }) {
      all.push([name, message, code]);
    }
  }
  return all;
}`;
const each = (calls) => `(crypto) => (${outcomes})((${calls})(crypto))`;

same('imported keys', {
  'have their usages checked first': each(({ subtle }) => {
    const none = new Uint8Array(3);
    const algorithms = [
      'X25519',
      'X448',
      'Ed25519',
      { name: 'ECDSA', namedCurve: 'P-256' },
      { name: 'ECDH', namedCurve: 'P-256' },
      { name: 'RSA-PSS', hash: 'SHA-256' },
      { name: 'RSA-OAEP', hash: 'SHA-256' },
      { name: 'HMAC', hash: 'SHA-256' },
      'AES-CBC',
      'PBKDF2',
    ];
    return algorithms.flatMap((algorithm) =>
      ['raw', 'spki', 'pkcs8', 'jwk'].map((format) => () => {
        const data = format === 'jwk' ? { kty: 'nope' } : none;
        const usages = ['sign', 'encrypt', 'deriveBits'];
        return subtle.importKey(format, data, algorithm, false, usages);
      }),
    );
  }),
  'of JWKs are refused in one order': each(({ subtle }) => {
    const ec = { name: 'ECDSA', namedCurve: 'P-256' };
    const okp = 'Ed25519';
    const rsa = { name: 'RSA-PSS', hash: 'SHA-256' };
    const tries = [
      [{ kty: 'EC', crv: 'P-384' }, ec],
      [{ kty: 'EC', crv: 'P-256', use: 'enc' }, ec],
      [{ kty: 'OKP', crv: 'X25519' }, okp],
      [{ kty: 'OKP', crv: 'Ed25519', alg: 'nope' }, okp],
      [{ kty: 'RSA', alg: 'RS256' }, rsa],
      [{ kty: 'RSA', alg: 'nope', key_ops: ['verify', 'verify'] }, rsa],
      [{ kty: 'RSA', alg: 'RS512' }, rsa],
    ];
    return tries.flatMap(([jwk, algorithm]) =>
      [['encrypt'], ['verify'], []].map(
        (usages) => () => subtle.importKey('jwk', jwk, algorithm, true, usages),
      ),
    );
  }),
});

same('other keys', {
  'are refused in the words of this Node': each(({ subtle }) => {
    const used = async (algorithm, usages, use) =>
      use(await subtle.generateKey(algorithm, true, usages));
    const aes = { name: 'AES-GCM', length: 128 };
    const bad = { name: 'AES-CBC', length: 100 };
    const exported = (format) => (key) =>
      subtle.exportKey(format, key.privateKey ?? key);
    const derived = (key) =>
      subtle.deriveBits(
        {
          name: 'HKDF',
          hash: 'SHA-256',
          salt: new Uint8Array(1),
          info: new Uint8Array(1),
        },
        key,
        8,
      );
    return [
      () => subtle.generateKey(bad, true, ['sign']),
      () => subtle.generateKey('Ed25519', true, ['encrypt']),
      () =>
        subtle.generateKey(
          {
            name: 'RSA-PSS',
            hash: 'SHA-1',
            modulusLength: 512,
            publicExponent: Uint8Array.of(1, 0, 1),
          },
          true,
          ['encrypt'],
        ),
      () => used(aes, ['encrypt'], exported('pkcs8')),
      () => used(aes, ['encrypt'], exported('spki')),
      () => used('Ed25519', ['sign'], exported('spki')),
      () => used('Ed25519', ['sign'], exported('raw')),
      () => used(aes, ['encrypt'], derived),
    ];
  }),
  'of key objects have what this Node has': each((crypto) => {
    const secret = crypto.createSecretKey(Buffer.alloc(16));
    if (secret.toCryptoKey === undefined) return [];
    const ec = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return [
      () => secret.toCryptoKey('nope', true, []),
      () => secret.toCryptoKey({}, true, []),
      () => secret.toCryptoKey('AES-CBC', true, 5),
      () => secret.toCryptoKey('AES-CBC', true, ['nope']),
      () => secret.toCryptoKey('AES-CBC', true, ['sign']),
      () => secret.toCryptoKey('AES-CBC', true, []),
      () => secret.toCryptoKey('AES-CBC', 0, ['encrypt']),
      () => secret.toCryptoKey('X25519', true, ['deriveBits']),
      () => secret.toCryptoKey({ name: 'HMAC' }, true, ['nope']),
      () => ec.publicKey.toCryptoKey('AES-CBC', true, ['encrypt']),
      () => ec.publicKey.toCryptoKey('Ed25519', true, ['encrypt']),
      () =>
        ec.privateKey.toCryptoKey(
          { name: 'ECDSA', namedCurve: 'P-256' },
          true,
          ['sign'],
        ),
      () =>
        ec.privateKey.toCryptoKey(
          { name: 'ECDSA', namedCurve: 'P-384' },
          true,
          [],
        ),
    ];
  }),
});
