'use strict';

// Odd arguments, each of which an isolate takes or refuses as this Node does.

const { same } = require('./support.js');

/** The results or errors of `works`, one after another. */
const all = (works) =>
  works.map((work) => {
    try {
      const value = work();
      return typeof value === 'object' && value?.constructor?.name !== 'Buffer'
        ? value.constructor.name
        : value;
    } catch ({ name, message, code }) {
      return [name, message, code];
    }
  });

same('odd arguments', {
  // The first, because Node tells of errors that calls before have left.
  'pieces that a cipher does not take': new Function(
    'crypto',
    `const all = ${all};
    const key = Buffer.alloc(16, 1);
    return all([
      () => crypto.createCipheriv('id-aes128-wrap', key, key.subarray(8)).update(Buffer.alloc(7)),
      () => crypto.createDecipheriv('id-aes128-wrap', key, key.subarray(8)).update(Buffer.alloc(24)),
      () => {
        const cipher = crypto.createCipheriv('aes-128-ccm', key, key.subarray(4), { authTagLength: 8 });
        cipher.update('a');
        cipher.update('b');
      },
    ]);`,
  ),
  'encodings that are none': new Function(
    'crypto',
    `const all = ${all};
    const key = Buffer.alloc(16, 1);
    const cipher = () => crypto.createCipheriv('aes-128-ctr', key, key);
    return all([
      () => crypto.createHash('md5').update('abé', 'abc').digest('hex'),
      () => crypto.createHash('md5').update('abé', Symbol('x')).digest('hex'),
      () => crypto.createHash('md5').update('abc', 'hex'),
      ...[1, 'abc', {}, 'buffer', ''].map((encoding) => () =>
        crypto.createHash('md5').digest(encoding)),
      () => crypto.createHmac('md5', 'k').digest('abc'),
      () => cipher().update('abcd', 'abc', 'hex'),
      () => { const one = cipher(); one.update('a', 'utf8', 'hex'); one.update('a', 'utf8', 'base64'); },
    ]);`,
  ),
  'keys that are none': new Function(
    'crypto',
    `const all = ${all};
    const odd = [undefined, null, 1, true, {}, [], () => {}, 'abc', Buffer.alloc(4)];
    return all([
      ...odd.map((key) => () => crypto.createPrivateKey(key)),
      ...odd.map((key) => () => crypto.createPublicKey(key)),
      ...odd.map((key) => () => crypto.privateDecrypt(key, Buffer.alloc(1))),
      ...odd.map((key) => () => crypto.sign('sha256', Buffer.alloc(1), key)),
      ...odd.map((given) => () => crypto.verify('sha256', Buffer.alloc(1), 'key', given)),
      ...odd.map((kty) => () => crypto.createPublicKey({ key: { kty }, format: 'jwk' })),
      ...odd.map((type) => () => crypto.createPrivateKey({ key: Buffer.alloc(4), format: 'der', type })),
      ...odd.map((name) => () => crypto.getDiffieHellman(name)),
      ...odd.map((key) => () => {
        const ecdh = crypto.createECDH('prime256v1');
        ecdh.generateKeys();
        return ecdh.computeSecret(key);
      }),
      () => crypto.createECDH('prime256v1').setPrivateKey(''),
      () => new crypto.X509Certificate(new ArrayBuffer(4)),
      () => crypto.Certificate.verifySpkac(''),
    ]);`,
  ),
  'numbers that are too large': new Function(
    'crypto',
    `const all = ${all};
    return all([
      () => crypto.hash?.('nope', 'a'),
      () => crypto.pbkdf2Sync('a', 'b', 1, 1e300, 'sha1'),
      () => crypto.createHash('shake128', { outputLength: 2 ** 53 }),
      () => crypto.hkdfSync('sha256', 'a', 'b', 'c', 0),
      () => crypto.generateKeySync('aes'),
      () => crypto.generateKeySync('hmac', { length: 7 }),
      () => crypto.getCipherInfo(NaN),
      () => crypto.hash?.('sha1', 'a', 1),
      () => crypto.hash?.('sha1', 'a', ''),
      () => crypto.hash?.('sha224', 'a', { outputLength: 32 }),
      // Last, because Node 24 gives OpenSSL's error of it to the next call.
      () => crypto.getCipherInfo('aes-128-cbc', { keyLength: -1 }),
    ]);`,
  ),
  'keys are compared': new Function(
    'crypto',
    `return (async () => {
      const { isDeepStrictEqual } = (await import('node:util')).default;
      const { subtle } = crypto.webcrypto;
      const secret = (byte) => crypto.createSecretKey(Buffer.alloc(4, byte));
      const web = (byte, hash = 'SHA-1', usages = ['sign']) =>
        subtle.importKey('raw', Buffer.alloc(4, byte), { name: 'HMAC', hash }, true, usages);
      return [
        isDeepStrictEqual(secret(1), secret(1)),
        isDeepStrictEqual(secret(1), secret(2)),
        isDeepStrictEqual(await web(1), await web(1)),
        isDeepStrictEqual(await web(1), await web(2)),
        isDeepStrictEqual(await web(1), await web(1, 'SHA-256')),
        isDeepStrictEqual(await web(1), await web(1, 'SHA-1', ['verify'])),
      ];
    })();`,
  ),
  'a private key that is not of its public one': new Function(
    'crypto',
    `return (async () => {
      const { subtle } = crypto.webcrypto;
      const make = () => crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
        .privateKey.export({ format: 'der', type: 'pkcs8' });
      const [one, other] = [make(), make()];
      // The private number is in the middle, the public point at the end.
      one.set(other.subarray(36, 68), 36);
      const given = { name: 'ECDSA', namedCurve: 'P-256' };
      return subtle.importKey('pkcs8', one, given, true, ['sign'])
        .then(({ type }) => type, ({ name, message }) => [name, message]);
    })();`,
  ),
  'what crypto.subtle is given': new Function(
    'crypto',
    `return (async () => {
      const { subtle } = crypto.webcrypto;
      const iv = Buffer.alloc(16);
      const key = await subtle.importKey('raw', iv, 'AES-CBC', true, ['encrypt']);
      const mac = await subtle.importKey('raw', iv, { name: 'HMAC', hash: 'SHA-1' }, true, ['sign']);
      const odd = [undefined, null, 1, 'abc', true, {}, [], Symbol('x'), Buffer.alloc(2)];
      const works = [
        ...odd.map((value) => () => subtle.digest(value, iv)),
        ...odd.map((value) => () => subtle.digest('SHA-1', value)),
        ...odd.map((value) => () => subtle.importKey(value, iv, 'AES-CBC', true, ['encrypt'])),
        ...odd.map((value) => () => subtle.importKey('raw', value, 'AES-CBC', true, ['encrypt'])),
        ...odd.map((value) => () => subtle.importKey('raw', iv, value, true, ['encrypt'])),
        ...odd.map((value) => () => subtle.importKey('raw', iv, 'AES-CBC', true, value)),
        ...odd.map((value) => () => subtle.importKey('raw', iv, { name: 'HMAC', hash: value }, true, ['sign'])),
        ...odd.map((value) => () => subtle.encrypt(value, key, iv)),
        ...odd.map((value) => () => subtle.encrypt({ name: 'AES-CBC', iv: value }, key, iv)),
        ...odd.map((value) => () => subtle.encrypt({ name: 'AES-CBC', iv }, value, iv)),
        ...odd.map((value) => () => subtle.generateKey({ name: 'AES-CBC', length: value }, true, ['encrypt'])),
        ...odd.map((value) => () => subtle.exportKey(value, key)),
        () => subtle.encrypt({ name: 'AES-CBC', iv }, mac, iv),
        () => subtle.sign('HMAC', key, iv),
        () => subtle.generateKey({ name: 'AES-CBC', length: 128 }, true, ['sign']),
        () => subtle.generateKey({ name: 'AES-CBC', length: 128 }, true, ['nope']),
        () => subtle.generateKey('Ed25519', true, []),
        ...['digest', 'encrypt', 'verify', 'importKey', 'wrapKey'].map((name) => () => subtle[name]()),
      ];
      const results = [];
      for (const work of works) {
        try {
          const value = await work();
          results.push(value.algorithm ?? value);
        } catch ({ name, message, code }) {
          results.push([name, message, code]);
        }
      }
      return results;
    })();`,
  ),
});
