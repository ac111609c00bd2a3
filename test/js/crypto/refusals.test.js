'use strict';

// Calls with something wrong: which of its arguments crypto looks at first, and
// what it says, is what programs of random calls have found to differ.

const { same } = require('./support.js');

// Runs in both places: what each of `calls` gives or throws.
const outcomes = `async (calls) => {
  const all = [];
  for (const call of calls) {
    try {
      const value = await call();
      all.push(ArrayBuffer.isView(value) ? 'bytes' : typeof value);
    } catch ({ name, message, code }) {
      // Keys differ.
      all.push([name, message.slice(0, 80), code]);
    }
  }
  return all;
}`;

/** A program whose calls are tried one by one. */
const each = (calls) => `(crypto) => (${outcomes})((${calls})(crypto))`;

// First, because Node finds what earlier failures have left.
same('hmac', {
  'checks its encoding, and at once whether it can be': each((crypto) => [
    () => crypto.createHmac('sha256', 'k', { encoding: 5 }),
    () => crypto.createHmac('sha256', {}, { encoding: 5 }),
    () => crypto.createHmac('sha256', 'k', { encoding: null }),
    () => crypto.createHmac('shake128', 'k'),
    () => crypto.scrypt('a', 'b', 1, { N: 3 }, 5),
    () => crypto.scryptSync('a', 'b', 1, { N: 3 }),
  ]),
});

same('keys', {
  'are read after all other arguments': each((crypto) => {
    const bad = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----';
    const signer = () => crypto.createSign('sha256').update('x');
    const verifier = () => crypto.createVerify('sha256').update('x');
    return [
      () => signer().sign({ key: bad, dsaEncoding: 'nope' }),
      () => signer().sign({ key: bad, padding: 1.5 }),
      () => signer().sign(5),
      () => signer().sign({}),
      () => signer().sign({ key: bad, format: 'der' }),
      () => verifier().verify({ key: bad, saltLength: 'x' }, 'y'),
      () => verifier().verify(bad, 'y', 'nope'),
      () => verifier().verify(bad, 5),
      () => crypto.privateDecrypt({ key: bad, oaepHash: 5 }, 'y'),
      () => crypto.privateDecrypt({ key: bad, oaepLabel: [] }, 'y'),
      () => crypto.publicEncrypt(bad, null),
      () => crypto.privateEncrypt({ key: bad, format: 'nope' }, 'y'),
      () => crypto.sign('sha1', 'x', { key: bad, context: 5 }),
      () => crypto.createPrivateKey(crypto.createSecretKey('x')),
    ];
  }),
  'of the wrong half are refused by OpenSSL': each((crypto) => {
    const make = (type, options) => crypto.generateKeyPairSync(type, options);
    const rsa = make('rsa', { modulusLength: 1024 });
    const ed = make('ed25519');
    const dh = make('dh', { group: 'modp14' });
    const pem = ({ publicKey }) =>
      publicKey.export({ type: 'spki', format: 'pem' });
    const own = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' });
    const sealed = crypto.publicEncrypt(rsa.publicKey, Buffer.from('hi'));
    const verifier = () => crypto.createVerify('sha256').update('x');
    return [
      () => crypto.privateDecrypt(own, sealed),
      () => crypto.privateDecrypt(pem(rsa), sealed),
      () => crypto.privateEncrypt(pem(rsa), Buffer.from('x')),
      () => crypto.privateDecrypt(rsa.publicKey, sealed),
      () => crypto.privateDecrypt(pem(ed), sealed),
      () => verifier().verify(pem(dh), 'y'),
      () => crypto.sign('sha256', 'x', pem(rsa)),
      () => crypto.privateEncrypt(ed.privateKey, Buffer.from('x')),
    ];
  }),
  'open PKCS #1 only where that tells nothing': each((crypto) => {
    const { privateKey, publicKey } = crypto.generateKeyPairSync('rsa', {
      modulusLength: 1024,
    });
    const { RSA_PKCS1_PADDING: padding } = crypto.constants;
    const sealed = crypto.publicEncrypt(
      { key: publicKey, padding },
      Buffer.from('hi'),
    );
    return [() => crypto.privateDecrypt({ key: privateKey, padding }, sealed)];
  }),
  'are agreed on from what this Node takes': each((crypto) => {
    const [own, other, ec] = [
      crypto.generateKeyPairSync('x25519'),
      crypto.generateKeyPairSync('x25519'),
      crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    ];
    const secret = crypto.createSecretKey('x');
    const privateKey = own.privateKey.export({ type: 'pkcs8', format: 'pem' });
    const publicKey = other.publicKey.export({ format: 'jwk' });
    return [
      () => crypto.diffieHellman(),
      () => crypto.diffieHellman({}),
      () => crypto.diffieHellman({ privateKey }),
      () =>
        crypto.diffieHellman({ privateKey: own.privateKey, publicKey: null }),
      () =>
        crypto.diffieHellman({
          privateKey,
          publicKey: { key: publicKey, format: 'jwk' },
        }),
      () => crypto.diffieHellman({ privateKey, publicKey: other.publicKey }),
      () =>
        crypto.diffieHellman({
          privateKey: own.publicKey,
          publicKey: other.publicKey,
        }),
      () =>
        crypto.diffieHellman({
          privateKey: own.privateKey,
          publicKey: ec.publicKey,
        }),
      () =>
        crypto.diffieHellman({
          privateKey: own.privateKey,
          publicKey: secret,
        }),
      () => crypto.diffieHellman({ privateKey, publicKey: 5 }),
    ];
  }),
});

same('contexts', {
  'are for some keys, and not too long': each((crypto) => {
    const make = (type, options) => crypto.generateKeyPairSync(type, options);
    const ec = make('ec', { namedCurve: 'P-256' });
    const ed = make('ed25519');
    const own = (key, size) => ({ key, context: Buffer.alloc(size, 1) });
    return [0, 1, 256].flatMap((size) => [
      () => crypto.sign('sha256', 'x', own(ec.privateKey, size)),
      () => crypto.sign(null, 'x', own(ed.privateKey, size)),
      () => {
        const data = Buffer.from('x');
        const signed = crypto.sign(null, data, own(ed.privateKey, size));
        const is = crypto.verify(null, data, own(ed.publicKey, size), signed);
        if (!is) throw new Error('not verified');
      },
    ]);
  }),
  'make other signatures': (crypto) => {
    const d = Buffer.alloc(32, 7).toString('base64url');
    const x = '6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw';
    const jwk = { kty: 'OKP', crv: 'Ed25519', d, x };
    const key = crypto.createPrivateKey({ key: jwk, format: 'jwk' });
    return [undefined, Buffer.alloc(0), Buffer.from('a')].map((context) =>
      crypto.sign(null, Buffer.from('x'), { key, context }),
    );
  },
});

same('groups', {
  'of Diffie and Hellman are checked in one order': each((crypto) => [
    ...[undefined, -1, 1, 2, Buffer.of(0, 0), Buffer.alloc(0)].map(
      (generator) => () => crypto.createDiffieHellman(Buffer.of(23), generator),
    ),
    // Node finds what an earlier failure has left, so that some come first.
    ...[-1, 0].flatMap((size) =>
      [undefined, -1, 0, 1, 2, Buffer.of(1)].map(
        (generator) => () => crypto.createDiffieHellman(size, generator),
      ),
    ),
    ...[-1, 1, Buffer.of(1), undefined, 0, 2].map(
      (generator) => () => crypto.createDiffieHellman(64, generator),
    ),
  ]),
  'of curves have OpenSSL names': each((crypto) => [
    () => crypto.createECDH('P-256'),
    () => crypto.createECDH('prime256v1'),
    () => crypto.ECDH.convertKey(Buffer.of(4, 1), 'P-256'),
    () => crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey,
  ]),
});

same('callbacks', {
  'get what Node gives where there is no error': async (crypto) => {
    const given = (start) =>
      new Promise((resolve) => {
        const order = [];
        start((error) => {
          order.push(['called', error === null, error === undefined]);
        });
        order.push('returned');
        setTimeout(() => resolve(order), 20);
      });
    return Promise.all([
      given((done) => crypto.randomBytes(0, done)),
      given((done) => crypto.randomFill(new Uint8Array(3), 1, 0, done)),
      given((done) => crypto.randomBytes(1, done)),
      given((done) => crypto.generatePrime(8, done)),
      given((done) => crypto.checkPrime(7n, done)),
      given((done) => crypto.generateKey('aes', { length: 128 }, done)),
      given((done) => crypto.randomInt(5, done)),
    ]);
  },
});
