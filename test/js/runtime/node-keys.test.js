'use strict';

// Public and private keys of node:crypto: ours and Node's read and check what
// the other has made.

const crypto = require('node:crypto');

const { createBareContext } = require('./bare-context.js');

const bare = createBareContext();
const ours = bare.api.builtin('crypto');

const PAIRS = [
  ['rsa', { modulusLength: 2048 }],
  ['ec', { namedCurve: 'P-256' }],
  ['ec', { namedCurve: 'secp384r1' }],
  ['ec', { namedCurve: 'P-521' }],
  ['ed25519', {}],
  ['x25519', {}],
];
const DATA = Buffer.from('some data to be signed');

const forms = (type) => ({
  private: [
    { format: 'pem', type: 'pkcs8' },
    { format: 'der', type: 'pkcs8' },
    { format: 'jwk' },
    ...(type === 'rsa' ? [{ format: 'pem', type: 'pkcs1' }] : []),
    ...(type === 'ec' ? [{ format: 'pem', type: 'sec1' }] : []),
  ],
  public: [
    { format: 'pem', type: 'spki' },
    { format: 'der', type: 'spki' },
    { format: 'jwk' },
    ...(type === 'rsa' ? [{ format: 'der', type: 'pkcs1' }] : []),
  ],
});

const plain = (value) =>
  value instanceof Uint8Array || ArrayBuffer.isView(value)
    ? Buffer.from(value).toString('hex')
    : JSON.parse(JSON.stringify(value));

/** The other side's copy of what is written in one of the forms. */
function input(key, form) {
  const written = key.export(form);
  const copy = ArrayBuffer.isView(written) ? Buffer.from(written) : written;
  return form.format === 'pem' ? copy : { key: copy, ...form };
}

describe.each(PAIRS)('%s %j', (type, options) => {
  test.each([
    ['made by Node', crypto, ours],
    ['made by us', ours, crypto],
  ])('keys %s', (_, maker, reader) => {
    const pair = maker.generateKeyPairSync(type, options);
    for (const form of forms(type).private) {
      const key = reader.createPrivateKey(input(pair.privateKey, form));
      expect(key.type).toBe('private');
      expect(key.asymmetricKeyType).toBe(type);
      expect(plain(key.export(form))).toEqual(
        plain(pair.privateKey.export(form)),
      );
      const open = reader.createPublicKey(input(pair.privateKey, form));
      expect(open.type).toBe('public');
      expect(open.equals(reader.createPublicKey(key))).toBe(true);
    }
    for (const form of forms(type).public) {
      const key = reader.createPublicKey(input(pair.publicKey, form));
      expect(key.type).toBe('public');
      const { asymmetricKeyDetails: details } = pair.publicKey;
      expect({ ...key.asymmetricKeyDetails }).toEqual({ ...details });
      // Node 24 does not write in PKCS #1 what it has read from it.
      const back =
        form.type === 'pkcs1' ? { format: 'der', type: 'spki' } : form;
      expect(plain(key.export(back))).toEqual(
        plain(pair.publicKey.export(back)),
      );
    }
  });
});

const PSS = { padding: 6 };
const SIGNATURES = [
  ['rsa', { modulusLength: 2048 }, 'RSA-SHA256', {}],
  ['rsa', { modulusLength: 2048 }, 'sha1', {}],
  ['rsa', { modulusLength: 2048 }, 'SHA512', { ...PSS, saltLength: -1 }],
  ['rsa', { modulusLength: 2048 }, 'sha384', { ...PSS }],
  ['rsa', { modulusLength: 2048 }, 'sha256', { ...PSS, saltLength: 7 }],
  ['ec', { namedCurve: 'P-256' }, 'sha256', {}],
  ['ec', { namedCurve: 'P-384' }, 'sha384', { dsaEncoding: 'ieee-p1363' }],
  ['ec', { namedCurve: 'P-521' }, 'sha512', {}],
  ['ed25519', {}, null, {}],
];

test.each(SIGNATURES)('%s %j signs with %s %j', (type, of, hash, options) => {
  for (const [signer, checker] of [
    [ours, crypto],
    [crypto, ours],
  ]) {
    const { privateKey, publicKey } = crypto.generateKeyPairSync(type, of);
    const secret = privateKey.export({ format: 'pem', type: 'pkcs8' });
    const open = publicKey.export({ format: 'pem', type: 'spki' });
    const key = { key: secret, ...options };
    const made = Buffer.from(signer.sign(hash, DATA, key));
    const { saltLength, ...rest } = options;
    for (const used of [
      { key: open, ...options },
      { key: open, ...rest },
    ]) {
      expect(checker.verify(hash, DATA, used, made)).toBe(true);
      expect(checker.verify(hash, Buffer.from('x'), used, made)).toBe(false);
    }
    if (hash === null) continue;
    const text = signer
      .createSign(hash)
      .update('some data ')
      .update(DATA.subarray(10))
      .sign(signer.createPrivateKey(secret), 'base64');
    const check = (data) =>
      checker.createVerify(hash).update(data).verify(open, text, 'base64');
    expect(check(DATA)).toBe(true);
    expect(check('something else')).toBe(false);
  }
});

test('RSA encrypts and decrypts', () => {
  const { privateKey, publicKey } = crypto.generateKeyPairSync('rsa', {
    modulusLength: 2048,
  });
  const secret = privateKey.export({ format: 'pem', type: 'pkcs1' });
  const open = publicKey.export({ format: 'pem', type: 'spki' });
  const label = Buffer.from('label');
  for (const options of [
    {},
    { oaepHash: 'sha256', oaepLabel: label },
    { padding: crypto.constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha512' },
  ]) {
    const here = ours.publicEncrypt({ key: open, ...options }, DATA);
    const there = crypto.publicEncrypt({ key: open, ...options }, DATA);
    const key = { key: secret, ...options };
    expect(crypto.privateDecrypt(key, Buffer.from(here))).toEqual(DATA);
    expect(Buffer.from(ours.privateDecrypt(key, there))).toEqual(DATA);
    expect(() => ours.privateDecrypt(key, DATA)).toThrow(/decoding error/);
  }
});

test('X25519 and ECDH agree with Node', () => {
  for (const [type, options] of [
    ['x25519', {}],
    ['ec', { namedCurve: 'P-256' }],
  ]) {
    const mine = ours.generateKeyPairSync(type, options);
    const other = crypto.generateKeyPairSync(type, options);
    const form = { format: 'pem', type: 'spki' };
    const here = ours.diffieHellman({
      privateKey: mine.privateKey,
      publicKey: ours.createPublicKey(other.publicKey.export(form)),
    });
    const there = crypto.diffieHellman({
      privateKey: other.privateKey,
      publicKey: crypto.createPublicKey(mine.publicKey.export(form)),
    });
    expect(Buffer.from(here)).toEqual(there);
  }
});

test('keys of crypto.subtle become KeyObjects', async () => {
  const key = await bare.run(
    "crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])",
  );
  const secret = ours.KeyObject.from(key.privateKey);
  const made = ours.sign('sha256', DATA, secret);
  const form = { format: 'pem', type: 'spki' };
  const open = ours.KeyObject.from(key.publicKey).export(form);
  expect(crypto.verify('sha256', DATA, open, Buffer.from(made))).toBe(true);
  expect(ours.verify('sha256', DATA, key.publicKey, made)).toBe(true);
});

test('small keys, other exponents and callbacks', async () => {
  const { publicKey, privateKey } = ours.generateKeyPairSync('rsa', {
    modulusLength: 512,
    publicExponent: 3,
    publicKeyEncoding: { format: 'pem', type: 'spki' },
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
  });
  const made = Buffer.from(ours.sign('sha256', DATA, privateKey));
  expect(crypto.verify('sha256', DATA, publicKey, made)).toBe(true);
  const results = [];
  ours.generateKeyPair('ed25519', {}, (...all) => results.push(all));
  ours.sign(null, DATA, 'no key', (...all) => results.push(all));
  await bare.loop.advance();
  expect(results[0][0]).toBe(null);
  expect(results[0][1].type).toBe('public');
  expect(results[0][2].type).toBe('private');
  expect(results[1][0].code).toBe('ERR_OSSL_UNSUPPORTED');
});

const codeOf = (work) => {
  try {
    work();
    return 'no error';
  } catch (error) {
    return error.code;
  }
};

test('what is refused, and how', () => {
  const pair = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pkcs8 = { format: 'pem', type: 'pkcs8' };
  const open = pair.publicKey.export({ format: 'pem', type: 'spki' });
  const codes = (api) => [
    codeOf(() => api.createPublicKey('nothing')),
    codeOf(() => api.createPrivateKey(open)),
    codeOf(() => api.createPrivateKey(7)),
    codeOf(() => api.createPublicKey(api.createSecretKey(Buffer.alloc(4)))),
    codeOf(() => api.createPrivateKey(api.createPublicKey(open))),
    codeOf(() => api.createHmac('sha1', api.createPublicKey(open))),
    codeOf(() =>
      api.createPublicKey(open).export({ format: 'pem', type: 'pkcs1' }),
    ),
  ];
  expect(codes(ours)).toEqual(codes(crypto));
  const locked = pair.privateKey.export({
    ...pkcs8,
    cipher: 'aes-128-cbc',
    passphrase: 'x',
  });
  expect(() => ours.createPrivateKey(locked)).toThrow(/decrypt it with/);
});

test('a KeyObject keeps its secrets', () => {
  const { privateKey } = ours.generateKeyPairSync('ed25519');
  expect(Object.getOwnPropertyNames(privateKey)).toEqual([]);
  const { inspect } = bare.api.builtin('util');
  expect(inspect(privateKey, { showHidden: true })).not.toMatch(/\d, *\d/);
  expect(Object.getOwnPropertyNames(ours.KeyObject).sort()).toEqual([
    'from',
    'length',
    'name',
    'prototype',
  ]);
});

test('a certificate has a public key', () => {
  const certificate = `-----BEGIN CERTIFICATE-----
MIIBbjCCAROgAwIBAgIUJBh3IVbtb3HQ68Q2OAlRKgWPJsYwCgYIKoZIzj0EAwIw
DDEKMAgGA1UEAwwBYTAeFw0yNjExMjEyMDE0MTVaFw0zNjExMTgyMDE0MTVaMAwx
CjAIBgNVBAMMAWEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARNqjfWG8Jw1wHT
x+9Uu53LdmeAaCC6/j95vJwC+1H9gqUWFfTfbKdpN+NA4zYTUU4K1dXcDw7NN6Fk
cPx7iyiHo1MwUTAdBgNVHQ4EFgQUL+1I+ylAOQDG53b/kr6wOCzRCv4wHwYDVR0j
BBgwFoAUL+1I+ylAOQDG53b/kr6wOCzRCv4wDwYDVR0TAQH/BAUwAwEB/zAKBggq
hkjOPQQDAgNJADBGAiEAk9hR7UxdRhlifbufR916pBLWzXVG/BZMM9Do5PyL1okC
IQD1kcu6I1cqARIZj+4zO27TxAxzk7JzLXsUYsXUit0FVQ==
-----END CERTIFICATE-----`;
  const form = { format: 'pem', type: 'spki' };
  expect(ours.createPublicKey(certificate).export(form)).toBe(
    crypto.createPublicKey(certificate).export(form),
  );
});
