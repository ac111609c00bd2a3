'use strict';

// Refusals that OpenSSL itself makes: which of its errors is thrown, and which
// others stand in `opensslErrorStack`.

const { same } = require('./support.js');

// Runs in both places. A signature comes first each time, because Node leaves
// errors in OpenSSL's queue, and that empties it.
const outcomes = `async (crypto, calls) => {
  const { privateKey } = crypto.generateKeyPairSync('ed25519');
  const all = [];
  for (const call of calls) {
    crypto.sign(null, Buffer.from('x'), privateKey);
    try {
      const value = await call();
      const hex = ArrayBuffer.isView(value) && Buffer.from(value).toString('hex');
      all.push(hex === false ? value : 'bytes ' + hex);
    } catch ({ name, message, code, library, reason, opensslErrorStack }) {
      all.push([name, message, code, library, reason, opensslErrorStack]);
    }
  }
  return all;
}`;

const each = (calls) => `(crypto) => (${outcomes})(crypto, (${calls})(crypto))`;

same('digests of a provider that is not loaded', {
  'are refused by OpenSSL': each((crypto) => {
    const names = ['md4', 'mdc2', 'whirlpool', 'RSA-MDC2', 'unheard-of'];
    return names.flatMap((name) => [
      () => crypto.createHash(name) && 'made',
      () => crypto.createHmac(name, 'key') && 'made',
      () => crypto.createSign(name) && 'made',
      () => crypto.createVerify(name) && 'made',
      () => crypto.hash?.(name, 'data') && 'made',
    ]);
  }),
});

same('certificates that are none', {
  'are refused with what was tried': each((crypto) => {
    const pem = (body) =>
      `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
    const bad = ['', 'text', pem('AAAA'), pem('MIIB'), pem('!'), '-----BEGIN'];
    return [...bad, Buffer.from('3003020101', 'hex')].map(
      (text) => () => new crypto.X509Certificate(text).subject,
    );
  }),
});

same('Diffie-Hellman', {
  'has no secret where the prime or a key is none': each((crypto) => {
    const primes = ['17', '02', '00', 'ffffffffffffffc5'];
    const others = ['', '01', '02', 'ff', 'ff'.repeat(12)];
    return primes.flatMap((prime) =>
      others.map((other) => () => {
        const dh = crypto.createDiffieHellman(Buffer.from(prime, 'hex'));
        dh.setPrivateKey(Buffer.from([5]));
        return dh.computeSecret(Buffer.from(other, 'hex'));
      }),
    );
  }),
  'looks at the key of another in a group': each((crypto) =>
    ['modp1', 'modp5', 'modp14'].map(
      (group) => () =>
        crypto.getDiffieHellman(group).computeSecret(Buffer.from('some text')),
    ),
  ),
});

same('points of curves', {
  'are looked at before or after the own pair': each((crypto) => {
    const alice = crypto.createECDH('prime256v1');
    alice.setPrivateKey(Buffer.alloc(32, 7));
    const keys = [alice.getPublicKey(), Buffer.alloc(65, 1), Buffer.alloc(0)];
    return keys.map(
      (key) => () => crypto.createECDH('prime256v1').computeSecret(key),
    );
  }),
  'of no bytes become an empty text': each((crypto) => [
    () => crypto.ECDH.convertKey('', 'secp256k1'),
    () => crypto.ECDH.convertKey('', 'secp256k1', 'hex', 'buffer'),
    () => crypto.ECDH.convertKey(Buffer.alloc(0), 'secp256k1', null, 'hex'),
  ]),
});
