'use strict';

const { inBare, inNode, same } = require('./subtle-support.js');

test.each(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'])(
  'HMAC, PBKDF2 and HKDF with %s',
  async (hash) => {
    await same(`
      const hash = '${hash}';
      const hmac = await raw({ name: 'hmac', hash }, 20, ['sign', 'verify']);
      const tag = await subtle.sign('HMAC', hmac, data);
      const salt = bytes('salt');
      const password = await raw('PBKDF2', 9, ['deriveBits', 'deriveKey']).catch(() =>
        subtle.importKey('raw', new Uint8Array(9).fill(7), 'PBKDF2', false, ['deriveBits', 'deriveKey']));
      const pbkdf2 = { name: 'PBKDF2', hash, salt, iterations: 10 };
      const secret = await subtle.importKey('raw', data, 'HKDF', false, ['deriveBits', 'deriveKey']);
      const hkdf = { name: 'HKDF', hash, salt, info: bytes('info') };
      const aes = await subtle.deriveKey(pbkdf2, password, { name: 'AES-GCM', length: 256 }, true, ['encrypt']);
      const mac = await subtle.deriveKey(hkdf, secret, { name: 'HMAC', hash }, true, ['sign']);
      return [
        hex(tag),
        await subtle.verify('HMAC', hmac, tag, data),
        await subtle.verify('HMAC', hmac, tag.slice(1), data),
        hmac.algorithm, hmac.usages, hmac.type,
        await subtle.exportKey('jwk', hmac),
        hex(await subtle.deriveBits(pbkdf2, password, 200)),
        hex(await subtle.deriveBits(hkdf, secret, 200)),
        hex(await subtle.exportKey('raw', aes)),
        aes.algorithm,
        hex(await subtle.exportKey('raw', mac)),
        mac.algorithm,
      ];`);
  },
);

test.each([128, 192, 256])('AES with %d bits', async (bits) => {
  await same(`
    const both = ['encrypt', 'decrypt'];
    const out = [];
    for (const algorithm of [
      { name: 'AES-GCM', iv },
      { name: 'AES-GCM', iv: iv.slice(4), additionalData: bytes('more') },
      { name: 'AES-CBC', iv },
      { name: 'AES-CTR', counter: iv, length: 64 },
    ]) {
      const key = await raw(algorithm.name, ${bits} / 8, both);
      const secret = await subtle.encrypt(algorithm, key, data);
      out.push(hex(secret), hex(await subtle.decrypt(algorithm, key, secret)), await subtle.exportKey('jwk', key));
    }
    const kw = await raw('AES-KW', ${bits} / 8, ['wrapKey', 'unwrapKey']);
    const inner = await raw('AES-CBC', 16, both);
    const wrapped = await subtle.wrapKey('raw', inner, kw, 'AES-KW');
    const back = await subtle.unwrapKey('raw', wrapped, kw, 'AES-KW', 'AES-CBC', true, both);
    out.push(hex(wrapped), hex(await subtle.exportKey('raw', back)), back.algorithm);
    return out;`);
});

const CURVES = [
  ['ECDSA', 'P-256', 'sign', 'verify'],
  ['ECDSA', 'P-384', 'sign', 'verify'],
  ['ECDSA', 'P-521', 'sign', 'verify'],
  ['Ed25519', undefined, 'sign', 'verify'],
  ['ECDH', 'P-256', 'deriveBits'],
  ['ECDH', 'P-384', 'deriveBits'],
  ['ECDH', 'P-521', 'deriveBits'],
  ['X25519', undefined, 'deriveBits'],
];

const EXPORT = (name, namedCurve, use, other) => `
  const algorithm = ${JSON.stringify({ name, namedCurve })};
  const uses = ${JSON.stringify([use, other].filter(Boolean))};
  const pair = await subtle.generateKey(algorithm, true, uses);
  const signing = { name: algorithm.name, hash: 'SHA-384' };
  return {
    pkcs8: hex(await subtle.exportKey('pkcs8', pair.privateKey)),
    spki: hex(await subtle.exportKey('spki', pair.publicKey)),
    raw: hex(await subtle.exportKey('raw', pair.publicKey)),
    signature: uses[0] === 'sign' && hex(await subtle.sign(signing, pair.privateKey, data)),
  };`;

const IMPORT = (name, namedCurve, use, other) => `
  const algorithm = ${JSON.stringify({ name, namedCurve })};
  const [use, other] = ${JSON.stringify([use, other])};
  const secret = await subtle.importKey('pkcs8', unhex(given.pkcs8), algorithm, true, [use]);
  const others = other ? [other] : [];
  const spki = await subtle.importKey('spki', unhex(given.spki), algorithm, true, others);
  const raw = await subtle.importKey('raw', unhex(given.raw), algorithm, true, others);
  const { key_ops, ext, kty, crv, x, y, d } = await subtle.exportKey('jwk', secret);
  const jwk = { key_ops, ext, kty, crv, x, y, d };
  const again = await subtle.importKey('jwk', jwk, algorithm, true, [use]);
  const signing = { name: algorithm.name, hash: 'SHA-384' };
  return [
    jwk,
    secret.algorithm, secret.usages, secret.type,
    hex(await subtle.exportKey('pkcs8', again)) === given.pkcs8,
    hex(await subtle.exportKey('spki', raw)) === given.spki,
    use === 'sign'
      ? [await subtle.verify(signing, spki, unhex(given.signature), data),
         await subtle.verify(signing, spki, unhex(given.signature), iv)]
      : [hex(await subtle.deriveBits({ name: algorithm.name, public: spki }, secret, 256)),
         hex(await subtle.deriveBits({ name: algorithm.name, public: raw }, again, null))],
  ];`;

test.each(CURVES)(
  '%s %s: keys and signatures go to Node and back',
  async (...curve) => {
    for (const made of [
      await inBare(EXPORT(...curve)),
      await inNode(EXPORT(...curve)),
    ]) {
      const seen = await same(IMPORT(...curve), made);
      if (made.signature) expect(seen.at(-1)).toEqual([true, false]);
    }
  },
);

test('what is refused, and how', async () => {
  await same(`
    const key = await raw('AES-CBC', 16, ['encrypt']);
    const hmac = await raw({ name: 'HMAC', hash: 'SHA-1' }, 4, ['sign']);
    const kept = await subtle.importKey('raw', iv, 'AES-GCM', false, ['decrypt']);
    const pair = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']);
    const signing = { name: 'ECDSA', hash: 'SHA-256' };
    return [
      await name(subtle.decrypt({ name: 'AES-CBC', iv }, key, iv)),
      await name(subtle.encrypt({ name: 'AES-GCM', iv }, key, iv)),
      await name(subtle.encrypt({ name: 'AES-CBC', iv: iv.slice(1) }, key, iv)),
      await name(subtle.decrypt({ name: 'AES-GCM', iv }, kept, data)),
      // Node 20 says InvalidAccessException.
      (await name(subtle.exportKey('raw', kept))).slice(0, 13),
      (await name(subtle.exportKey('jwk', pair.privateKey))).slice(0, 13),
      await name(subtle.sign(signing, pair.publicKey, data)),
      await name(subtle.sign('HMAC', {}, data)),
      await name(subtle.sign('HMAC', hmac, 'text')),
      await name(raw('AES-CBC', 15, ['encrypt'])),
      await name(raw('AES-CBC', 16, ['sign'])),
      await name(raw('AES-CBC', 16, [])),
      await name(raw('nope', 16, ['sign'])),
      await name(subtle.importKey('jwk', { kty: 'EC', k: '' }, 'AES-CBC', true, ['encrypt'])),
      await name(subtle.importKey('spki', iv, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify'])),
      await name(subtle.importKey('raw', new Uint8Array(65).fill(4), { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify'])),
      await name(subtle.generateKey({ name: 'AES-CBC', length: 99 }, true, ['encrypt'])),
      await name(subtle.generateKey({ name: 'HMAC', hash: 'MD5' }, true, ['sign'])),
      await name(subtle.importKey('raw', iv)),
    ];`);
});

test('a key shows itself and keeps its bytes', async () => {
  const seen = await inBare(`
    const key = await subtle.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt']);
    const { inspect, types } = await import('node:util');
    return [
      key instanceof CryptoKey,
      String(key),
      types.isCryptoKey(key),
      types.isCryptoKey({}),
      inspect(key).slice(0, 29),
      Object.getOwnPropertyNames(key),
      Object.getOwnPropertyNames(CryptoKey).sort(),
    ];`);
  expect(seen).toEqual([
    true,
    '[object CryptoKey]',
    true,
    false,
    "CryptoKey {\n  type: 'secret',",
    [],
    ['length', 'name', 'prototype'],
  ]);
});

test("a private key without usages is refused in Node's words", () =>
  same(`
    const { privateKey } = await subtle.generateKey('Ed25519', true, ['sign']);
    const pkcs8 = await subtle.exportKey('pkcs8', privateKey);
    return subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, [])
      .then(() => 'no error', (error) => error.message);`));
