'use strict';
// The names of the standards for SHA-2 alone, and how AES-KW wraps a JWK.

const { WorkerPool } = require('../../../lib/pool/worker-pool.js');

let pool;
beforeAll(() => {
  pool = WorkerPool.create('subtle', { workers: 1 });
});
afterAll(() => pool.stop());

// The same on the main thread and in an isolate.
const wrapped = async () => {
  const { subtle } = crypto;
  const by = await subtle.generateKey({ name: 'AES-KW', length: 128 }, true, [
    'wrapKey',
    'unwrapKey',
  ]);
  const lengths = [];
  for (let length = 8; length <= 64; length += 8) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256', length };
    const key = await subtle.generateKey(algorithm, true, ['sign']);
    const bytes = await subtle.wrapKey('jwk', key, by, 'AES-KW');
    lengths.push(bytes.byteLength);
    const again = await subtle.unwrapKey(
      'jwk',
      bytes,
      by,
      'AES-KW',
      algorithm,
      true,
      ['sign'],
    );
    const [first, second] = [
      await subtle.exportKey('jwk', key),
      await subtle.exportKey('jwk', again),
    ];
    if (first.k !== second.k) throw new Error('another key came back');
  }
  return lengths;
};

const names = async () => {
  const { subtle } = crypto;
  const rows = [];
  const rsa = {
    modulusLength: 1024,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  for (const hash of ['SHA-1', 'SHA-512', 'SHA3-256']) {
    for (const name of ['RSA-OAEP', 'RSA-PSS', 'RSASSA-PKCS1-v1_5', 'HMAC']) {
      const usages =
        name === 'RSA-OAEP' ? ['encrypt', 'decrypt'] : ['sign', 'verify'];
      const algorithm = { name, hash, ...(name === 'HMAC' ? {} : rsa) };
      try {
        const made = await subtle.generateKey(algorithm, true, usages);
        const key = made.publicKey ?? made;
        const jwk = await subtle.exportKey('jwk', key);
        const { length = 0 } = key.algorithm;
        rows.push([name, hash, 'alg' in jwk, jwk.alg ?? 'none', length]);
      } catch (error) {
        rows.push([name, hash, error.name]);
      }
    }
  }
  return rows;
};

test('a wrapped JWK is padded to whole blocks', async () => {
  expect(await pool.run(wrapped)).toEqual(await wrapped());
});

test("names of algorithms in a JWK are Node's own", async () => {
  expect(await pool.run(names)).toEqual(await names());
});
