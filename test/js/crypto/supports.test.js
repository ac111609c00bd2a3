'use strict';
// SubtleCrypto.supports() says in an isolate what it says on the main thread,
// but for the algorithms that docs/runtime.md leaves out.

const { execFileSync } = require('node:child_process');

const { WorkerPool } = require('../../../lib');

const [major, minor] = process.versions.node.split('.').map(Number);
const isOffered = major >= 26 || (major === 24 && minor >= 22);

const asked = async () => {
  const { SubtleCrypto } = globalThis;
  const { subtle } = globalThis.crypto;
  if (SubtleCrypto.supports === undefined) return 'none';
  const bytes = (size) => new Uint8Array(size).fill(3);
  const keyOf = async (name, more) =>
    (await subtle.generateKey({ name, ...more }, false, ['deriveBits']))
      .publicKey;
  const ecdh = await keyOf('ECDH', { namedCurve: 'P-256' });
  const x25519 = await keyOf('X25519');
  const operations = [
    ...['decapsulateBits', 'decapsulateKey', 'decrypt', 'deriveBits'],
    ...['deriveKey', 'digest', 'encapsulateBits', 'encapsulateKey', 'encrypt'],
    ...['exportKey', 'generateKey', 'getPublicKey', 'importKey', 'sign'],
    ...['unwrapKey', 'verify', 'wrapKey', 'nothing', ''],
  ];
  const rsa = {
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const algorithms = [
    ...['SHA-1', 'sha-256', 'SHA-512', 'SHA3-256', 'MD5', ''],
    ...['AES-CBC', 'AES-KW', 'HMAC', 'HKDF', 'PBKDF2', 'ECDSA', 'Ed25519'],
    ...['Ed448', 'X25519', 'X448', 'RSA-PSS', 'ML-KEM-768', 'ML-DSA-44'],
    ...['AES-OCB', 'ChaCha20-Poly1305', 'KMAC128', 'ED25519', 'ml-kem-512'],
    {},
    { name: 'SHA-384' },
    ...[0, 128, 192, 200, 256, '256', -1].map((length) => ({
      name: 'AES-GCM',
      length,
    })),
    ...['AES-CBC', 'AES-CTR', 'AES-KW', 'AES-OCB'].map((name) => ({
      name,
      length: 128,
    })),
    ...[12, 15, 16].map((size) => ({ name: 'AES-CBC', iv: bytes(size) })),
    ...[0, 64, 128, 129].map((length) => ({
      name: 'AES-CTR',
      counter: bytes(16),
      length,
    })),
    { name: 'AES-CTR', counter: bytes(8), length: 64 },
    ...[undefined, 24, 64, 96, 128, 256].flatMap((tagLength) =>
      ['AES-GCM', 'AES-OCB', 'ChaCha20-Poly1305'].flatMap((name) =>
        [0, 12, 16].map((size) => ({ name, iv: bytes(size), tagLength })),
      ),
    ),
    { name: 'AES-GCM', iv: 'text' },
    ...[undefined, 0, 1, 256, 257].flatMap((length) => [
      { name: 'HMAC', hash: 'SHA-256', length },
      { name: 'HMAC', hash: 'SHA3-256', length },
      { name: 'KMAC256', length },
    ]),
    { name: 'HMAC', hash: 'MD5' },
    ...['P-256', 'P-384', 'P-521', 'K-256', 'p-256'].flatMap((namedCurve) => [
      { name: 'ECDSA', namedCurve, hash: 'SHA-256' },
      { name: 'ECDH', namedCurve },
    ]),
    ...['RSA-PSS', 'RSA-OAEP', 'RSASSA-PKCS1-v1_5'].flatMap((name) => [
      { name, hash: 'SHA-256', saltLength: 8, ...rsa },
      { name, hash: 'SHA-256', ...rsa, modulusLength: 256 },
      { name, hash: 'SHA-256', ...rsa, publicExponent: bytes(0) },
      { name, hash: 'SHA-256', ...rsa, publicExponent: new Uint8Array([4]) },
      { name, hash: 'none', ...rsa },
    ]),
    { name: 'HKDF', hash: 'SHA-256', salt: bytes(1), info: bytes(1) },
    { name: 'HKDF', hash: 'SHA-256', salt: bytes(1) },
    ...[0, 1, 2 ** 31].map((iterations) => ({
      name: 'PBKDF2',
      hash: 'SHA-256',
      salt: bytes(1),
      iterations,
    })),
    { name: 'ECDH', public: ecdh },
    { name: 'X25519', public: x25519 },
    { name: 'ECDH', public: {} },
    { name: 'KMAC128', outputLength: 256 },
    { name: 'Ed448', context: bytes(1) },
  ];
  const thirds = [
    ...[undefined, null, 0, 8, 12, 256, 257, 449, 255 * 256, 255 * 256 + 8],
    ...['AES-GCM', 'HKDF', 'HMAC', 'KMAC256', 'Ed25519', 'none', 'RSA-PSS'],
    { name: 'AES-CBC', length: 256 },
    { name: 'AES-CBC', length: 100 },
    { name: 'HMAC', hash: 'SHA-256' },
    { name: 'HMAC', hash: 'SHA-256', length: 128 },
    { name: 'HMAC', hash: 'SHA-256', length: 0 },
    { name: 'ECDSA', namedCurve: 'P-256' },
  ];
  const told = (...args) => {
    try {
      return SubtleCrypto.supports(...args);
    } catch (error) {
      return `${error.name} ${error.code} ${error.message}`;
    }
  };
  const label = (value) =>
    JSON.stringify(value, (_key, part) =>
      ArrayBuffer.isView(part) ? `${part.length} bytes` : part,
    );
  const answers = {};
  for (const operation of operations) {
    for (const algorithm of algorithms) {
      const all = thirds.map((third) => told(operation, algorithm, third));
      answers[`${operation} ${label(algorithm)}`] = all.join();
    }
  }
  answers.errors = [
    told('sign'),
    told('sign', Symbol('a')),
    told('sign', 'HMAC', -1),
    told('sign', 'HMAC', 2 ** 32),
    told('sign', 'HMAC', NaN),
    told('deriveBits', 'HMAC', -1),
    told('deriveBits', 'HMAC', 'text'),
    told('deriveBits', 'HMAC', 2n),
    told('nothing', 'HMAC', Symbol('a')),
    told('wrapKey', 'HMAC', Symbol('a')),
    told(Symbol('a'), 'HMAC'),
    told({ toString: () => 'digest' }, { toString: () => 'SHA-256' }),
    ...[undefined, {}, class extends SubtleCrypto {}].map((self) => {
      try {
        return SubtleCrypto.supports.call(self, 'digest', 'SHA-256');
      } catch ({ name, code, message }) {
        return `${name} ${code} ${message}`;
      }
    }),
    SubtleCrypto.supports.length,
    `${Object.getOwnPropertyDescriptor(SubtleCrypto, 'supports').enumerable}`,
  ].join();
  return answers;
};

test('it answers as on the main thread', async () => {
  const pool = WorkerPool.create('supports', { workers: 1 });
  try {
    const code = `(${asked})().then((value) => console.log(JSON.stringify(value)))`;
    const args = ['--no-warnings', '-e', code];
    const main = JSON.parse(
      execFileSync(process.execPath, args, {
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      }),
    );
    const told = await pool.run(asked);
    // Earlier versions of Node 24 have it, too, and read its arguments in
    // another way.
    expect(told).toEqual(isOffered ? main : 'none');
  } finally {
    await pool.stop();
  }
});

test('its members are those of the main thread, in their order', async () => {
  const members = () =>
    [SubtleCrypto, SubtleCrypto.prototype].map((object) =>
      Object.entries(Object.getOwnPropertyDescriptors(object)).map(
        ([name, { value, ...flags }]) => [name, value?.length ?? 'none', flags],
      ),
    );
  const pool = WorkerPool.create('members', { workers: 1 });
  try {
    const [own, shared] = await pool.run(members);
    const [mains, prototypes] = members();
    expect(shared).toEqual(prototypes);
    expect(new Set(own)).toEqual(new Set(mains));
  } finally {
    await pool.stop();
  }
});
