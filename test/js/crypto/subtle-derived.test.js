'use strict';

// Bits and keys of crypto.subtle that are derived, and keys of MACs: what is
// looked at first, and lengths that are not whole bytes.

const { same } = require('./support.js');

/** A program of `make(crypto)`, an object of calls by what they are. */
const each = (make) => `async (crypto) => {
  const all = [];
  for (const [title, call] of await (${make})(crypto)) {
    try {
      const { byteLength, type, usages, algorithm } = await call();
      all.push([title, byteLength, type, usages?.join(), JSON.stringify(algorithm)]);
    } catch ({ name, message, code, cause }) {
      all.push([title, name, message, code, cause?.name, cause?.message]);
    }
  }
  return all;
}`;

same('derived bits and keys', {
  'are refused in one order': each(async ({ subtle }) => {
    const bytes = new Uint8Array(8);
    const derives = ['deriveBits', 'deriveKey'];
    const secret = (name, usages) =>
      subtle.importKey('raw', bytes, name, false, usages);
    const pair = (algorithm, usages = derives) =>
      subtle.generateKey(algorithm, true, usages);
    const p256 = { name: 'ECDH', namedCurve: 'P-256' };
    const [x, ec] = [await pair('X25519'), await pair(p256)];
    const other = await pair({ ...p256, namedCurve: 'P-384' });
    const signs = await pair({ ...p256, name: 'ECDSA' }, ['sign', 'verify']);
    const keys = {
      'for bits': await secret('HKDF', ['deriveBits']),
      'for keys': await secret('HKDF', ['deriveKey']),
      password: await secret('PBKDF2', derives),
      'for agreement': x.privateKey,
      public: x.publicKey,
      'on a curve': ec.privateKey,
      'to sign': signs.privateKey,
    };
    const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: bytes, info: bytes };
    const { info, ...noInfo } = hkdf;
    const pbkdf2 = { ...noInfo, name: 'PBKDF2', iterations: 1 };
    const ways = {
      hkdf,
      'no info': noInfo,
      'long info': { ...hkdf, info: new Uint8Array(2000) },
      pbkdf2,
      'never repeated': { ...pbkdf2, iterations: 0 },
      'too often': { ...pbkdf2, iterations: 2 ** 31 },
      with: { name: 'X25519', public: x.publicKey },
      'with a private key': { name: 'X25519', public: x.privateKey },
      'with another kind': { name: 'X25519', public: signs.publicKey },
      'with another curve': { name: 'ECDH', public: other.publicKey },
      odd: 'odd',
    };
    const mac = { name: 'HMAC', hash: 'SHA-256' };
    const targets = {
      aes: { name: 'AES-CBC', length: 128 },
      'AES of 100 bits': { name: 'AES-CBC', length: 100 },
      'AES of no length': 'AES-CBC',
      'AES of a text': { name: 'AES-CBC', length: 'x' },
      mac,
      'a MAC of none': { ...mac, length: 0 },
      'a MAC of five': { ...mac, length: 5 },
      hkdf: 'HKDF',
      rsa: { name: 'RSA-PSS', hash: 'SHA-1' },
    };
    const lengths = [undefined, 0, 3, 8, 257, 1e6, -1];
    const usages = [['encrypt'], ['sign'], []];
    return Object.entries(keys).flatMap(([from, key]) =>
      Object.entries(ways).flatMap(([by, way]) => [
        ...lengths.map((length) => [
          `${length} bits of a key ${from} by ${by}`,
          () => subtle.deriveBits(way, key, length),
        ]),
        ...Object.entries(targets).flatMap(([to, target]) =>
          usages.map((list) => [
            `${to} to ${list} of a key ${from} by ${by}`,
            () => subtle.deriveKey(way, key, target, true, list),
          ]),
        ),
      ]),
    );
  }),
});

same('keys of MACs and of ciphers', {
  'have lengths, forms and usages looked at in one order': each(
    ({ subtle }) => {
      const lengths = [undefined, 0, 1, 8, 12, 24, 256, 2 ** 31, 2 ** 32, 'x'];
      const names = ['HMAC', 'KMAC128', 'AES-OCB', 'AES-GCM'];
      const formats = ['raw', 'raw-secret', 'spki', 'jwk'];
      const hashes = ['SHA-256', 'SHA3-256', undefined];
      const usages = [['sign'], ['encrypt'], []];
      const seen = names.flatMap((name) =>
        lengths.flatMap((length) =>
          hashes.flatMap((hash) =>
            usages.flatMap((list) => {
              const algorithm = { name, length, hash };
              const title = `${name} ${length} ${hash} ${list}`;
              const imports = formats.flatMap((format) =>
                [0, 1, 2, 16].map((size) => {
                  const k = Buffer.alloc(size, 255).toString('base64url');
                  const data =
                    format === 'jwk'
                      ? { kty: 'oct', k }
                      : Buffer.alloc(size, 255);
                  return [
                    `${title} ${format} ${size}`,
                    () => subtle.importKey(format, data, algorithm, true, list),
                  ];
                }),
              );
              const isLong = length === 2 ** 31 && list.includes('sign');
              return isLong
                ? imports
                : [
                    [title, () => subtle.generateKey(algorithm, true, list)],
                    ...imports,
                  ];
            }),
          ),
        ),
      );
      return seen;
    },
  ),
  'leave in their own forms': each(async ({ subtle }) => {
    const seen = [];
    const names = ['HMAC', 'KMAC128', 'AES-OCB', 'ChaCha20-Poly1305'];
    for (const name of [...names, 'AES-CBC', 'AES-KW']) {
      for (const usage of ['sign', 'encrypt', 'wrapKey']) {
        const algorithm = { name, length: 256, hash: 'SHA-256' };
        const key = await subtle
          .generateKey(algorithm, true, [usage])
          .catch(() => {});
        if (key === undefined) continue;
        for (const format of ['raw', 'raw-secret', 'raw-public', 'spki']) {
          seen.push([`${name} ${format}`, () => subtle.exportKey(format, key)]);
        }
      }
    }
    return seen;
  }),
});
