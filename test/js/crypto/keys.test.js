'use strict';

const crypto = require('node:crypto');

const { made, same } = require('./support.js');

const PAIRS = [
  ['rsa', { modulusLength: 1024 }],
  ['rsa-pss', { modulusLength: 1024, hashAlgorithm: 'sha256', saltLength: 20 }],
  ['dsa', { modulusLength: 1024, divisorLength: 160 }],
  ['ec', { namedCurve: 'P-256' }],
  ['ec', { namedCurve: 'secp521r1' }],
  ['ec', { namedCurve: 'secp256k1', paramEncoding: 'explicit' }],
  ['ed25519', {}],
  ['ed448', {}],
  ['x25519', {}],
  ['x448', {}],
  ['dh', { group: 'modp5' }],
];

const isHashed = (type) => (type.startsWith('ed') ? null : 'sha256');

/** A pair of an isolate's, with what it says and signs. */
async function pairProgram(library, [type, options, hash]) {
  const { publicKey, privateKey } = library.generateKeyPairSync(type, options);
  const data = Buffer.from('data');
  const signs = !/^x|^dh$/.test(type);
  return {
    private: privateKey.export({
      format: 'pem',
      type: 'pkcs8',
      cipher: 'aes-256-cbc',
      passphrase: 'secret',
    }),
    public: publicKey.export({ format: 'der', type: 'spki' }).toString('hex'),
    kind: privateKey.asymmetricKeyType,
    details: `${Object.entries(privateKey.asymmetricKeyDetails)}`,
    signature: signs && library.sign(hash, data, privateKey).toString('hex'),
  };
}

describe('key pairs of an isolate', () => {
  it.each(PAIRS)('%s %j are read here', async (type, options) => {
    const hash = isHashed(type);
    const pair = await made(pairProgram, [type, options, hash]);
    const own = crypto.createPrivateKey({
      key: pair.private,
      passphrase: 'secret',
    });
    expect(own.asymmetricKeyType).toBe(pair.kind);
    expect(`${Object.entries(own.asymmetricKeyDetails)}`).toBe(pair.details);
    const der = Buffer.from(pair.public, 'hex');
    const open = crypto.createPublicKey({
      key: der,
      format: 'der',
      type: 'spki',
    });
    expect(
      crypto.createPublicKey(own).export({ format: 'der', type: 'spki' }),
    ).toEqual(der);
    if (pair.signature === false) return;
    const signature = Buffer.from(pair.signature, 'hex');
    expect(crypto.verify(hash, Buffer.from('data'), open, signature)).toBe(
      true,
    );
  });

  it.each(PAIRS)('%s %j of here are read there', async (type, options) => {
    const { publicKey, privateKey } = crypto.generateKeyPairSync(type, options);
    const input = {
      private: privateKey.export({ format: 'pem', type: 'pkcs8' }),
      public: publicKey.export({ format: 'pem', type: 'spki' }),
    };
    const answer = await made((library, given) => {
      const own = library.createPrivateKey(given.private);
      return [
        own.export({ format: 'pem', type: 'pkcs8' }) === given.private,
        library
          .createPublicKey(own)
          .equals(library.createPublicKey(given.public)),
        library
          .createPublicKey(given.public)
          .export({ format: 'pem', type: 'spki' }) === given.public,
      ];
    }, input);
    expect(answer).toEqual([true, true, true]);
  });
});

same('secrets', {
  'have their bytes': (library) => {
    const key = library.createSecretKey('abc', 'utf8');
    return [
      key.type,
      key.symmetricKeySize,
      key.export(),
      key.export({ format: 'jwk' }),
    ];
  },
  'are equal or not': (library) => {
    const key = (text) => library.createSecretKey(text, 'utf8');
    return [
      key('a').equals(key('a')),
      key('a').equals(key('b')),
      key('a').equals(key('ab')),
    ];
  },
  'are made': (library) => [
    library.generateKeySync('hmac', { length: 123 }).symmetricKeySize,
    library.generateKeySync('aes', { length: 192 }).symmetricKeySize,
  ],
  'no secret': (library) => library.createSecretKey(5),
  'another kind of key': (library) => {
    const { publicKey } = library.generateKeyPairSync('ed25519');
    return library.createHmac('md5', publicKey);
  },
  'a bad length': (library) => library.generateKeySync('aes', { length: 5 }),
});

same('errors of keys', {
  'no PEM': (library) => library.createPrivateKey('abc'),
  'no public PEM': (library) => library.createPublicKey('abc'),
  'no DER': (library) =>
    library.createPrivateKey({
      key: Buffer.from('abc'),
      format: 'der',
      type: 'pkcs8',
    }),
  'no key': (library) => library.createPublicKey(5),
  'no form': (library) =>
    library.generateKeyPairSync('ed25519').publicKey.export({ format: 'der' }),
  'a form of other keys': (library) =>
    library
      .generateKeyPairSync('ed25519')
      .publicKey.export({ format: 'der', type: 'pkcs1' }),
  'no password': (library) => {
    const { privateKey } = library.generateKeyPairSync('ed25519');
    const pem = privateKey.export({
      format: 'pem',
      type: 'pkcs8',
      cipher: 'aes-128-cbc',
      passphrase: 'a',
    });
    return library.createPrivateKey(pem);
  },
  'a wrong password': (library) => {
    const { privateKey } = library.generateKeyPairSync('ed25519');
    const pem = privateKey.export({
      format: 'pem',
      type: 'pkcs8',
      cipher: 'aes-128-cbc',
      passphrase: 'a',
    });
    try {
      return library.createPrivateKey({ key: pem, passphrase: 'wrong' });
    } catch (error) {
      return [error.name, typeof error.code];
    }
  },
  'a bad JWK': (library) =>
    library.createPublicKey({
      key: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' },
      format: 'jwk',
    }),
  'an unknown kind': (library) => library.generateKeyPairSync('none'),
  'no length': (library) => library.generateKeyPairSync('rsa', {}),
  'an unknown curve': (library) =>
    library.generateKeyPairSync('ec', { namedCurve: 'none' }),
  'no message to sign': (library) =>
    library.sign(null, 5, library.generateKeyPairSync('ed25519').privateKey),
  'no key to sign with': (library) => library.createSign('sha1').sign(null),
  'a digest that Ed25519 has not': (library) =>
    library.sign(
      'sha256',
      Buffer.alloc(1),
      library.generateKeyPairSync('ed25519').privateKey,
    ),
  'an unknown digest': (library) => library.createSign('none'),
  'keys of other kinds': (library) =>
    library.diffieHellman({
      privateKey: library.generateKeyPairSync('x25519').privateKey,
      publicKey: library.generateKeyPairSync('x448').publicKey,
    }),
});

const FIXED = crypto.generateKeyPairSync('rsa', {
  modulusLength: 1024,
  privateKeyEncoding: { format: 'pem', type: 'pkcs1' },
  publicKeyEncoding: { format: 'pem', type: 'pkcs1' },
});

describe('RSA', () => {
  it('signs and encrypts for the other side', async () => {
    const sealed = crypto
      .publicEncrypt(
        {
          key: FIXED.publicKey,
          oaepHash: 'sha256',
          oaepLabel: Buffer.from('l'),
        },
        Buffer.from('text'),
      )
      .toString('hex');
    const answer = await made(
      (library, { privateKey, publicKey, data }) => ({
        opened: library
          .privateDecrypt(
            {
              key: privateKey,
              oaepHash: 'sha256',
              oaepLabel: Buffer.from('l'),
            },
            Buffer.from(data, 'hex'),
          )
          .toString(),
        signed: library
          .createSign('sha512')
          .update('data')
          .sign(privateKey, 'hex'),
        pss: library
          .sign('sha1', Buffer.from('data'), {
            key: privateKey,
            padding: 6,
            saltLength: 7,
          })
          .toString('hex'),
        raw: library
          .privateEncrypt(privateKey, Buffer.from('by me'))
          .toString('hex'),
        own: library
          .publicDecrypt(
            publicKey,
            library.privateEncrypt(privateKey, Buffer.from('x')),
          )
          .toString(),
      }),
      { ...FIXED, data: sealed },
    );
    expect(answer.opened).toBe('text');
    expect(answer.own).toBe('x');
    const bytes = (text) => Buffer.from(text, 'hex');
    expect(
      crypto
        .createVerify('sha512')
        .update('data')
        .verify(FIXED.publicKey, bytes(answer.signed)),
    ).toBe(true);
    expect(
      crypto.verify(
        'sha1',
        Buffer.from('data'),
        { key: FIXED.publicKey, padding: 6, saltLength: 7 },
        bytes(answer.pss),
      ),
    ).toBe(true);
    expect(
      crypto.publicDecrypt(FIXED.publicKey, bytes(answer.raw)).toString(),
    ).toBe('by me');
  });
});

same('secrets of two keys', {
  'by ECDH': (library) => {
    const [a, b] = ['prime256v1', 'prime256v1'].map((curve) =>
      library.createECDH(curve),
    );
    a.setPrivateKey('01'.repeat(32), 'hex');
    b.setPrivateKey('02'.repeat(32), 'hex');
    return [
      a.computeSecret(b.getPublicKey()),
      b.computeSecret(a.getPublicKey('hex', 'compressed'), 'hex', 'base64'),
      a.getPublicKey(null, 'hybrid'),
      a.getPrivateKey('hex'),
      library.ECDH.convertKey(
        a.getPublicKey(),
        'prime256v1',
        null,
        'hex',
        'compressed',
      ),
    ];
  },
  'by DiffieHellman': (library) => {
    const a = library.getDiffieHellman('modp2');
    const prime = a.getPrime();
    const b = library.createDiffieHellman(prime, a.getGenerator());
    b.setPrivateKey(Buffer.from('0102030405', 'hex'));
    b.generateKeys();
    a.generateKeys();
    return [
      prime,
      a
        .computeSecret(b.getPublicKey())
        .equals(b.computeSecret(a.getPublicKey())),
      b.verifyError,
      a.verifyError,
    ];
  },
  'by KeyObjects': (library) => {
    const [a, b] = [0, 1].map(() => library.generateKeyPairSync('x25519'));
    const one = library.diffieHellman({
      privateKey: a.privateKey,
      publicKey: b.publicKey,
    });
    return one.equals(
      library.diffieHellman({
        privateKey: b.privateKey,
        publicKey: a.publicKey,
      }),
    );
  },
  'an unknown group': (library) => library.getDiffieHellman('none'),
  'an unknown curve': (library) => library.createECDH('none'),
  'a point outside': (library) => {
    const key = library.createECDH('prime256v1');
    key.generateKeys();
    return key.computeSecret(Buffer.alloc(65, 4));
  },
  'a generator that is none': (library) =>
    library.createDiffieHellman('abcdef', 'hex', 1),
  'a small modulus': (library) => library.createDiffieHellman(1),
  'no key yet': (library) => library.createECDH('prime256v1').getPublicKey(),
});

same('the module', {
  'has the names of this Node': (library) =>
    Object.keys(library)
      .filter(
        (name) =>
          ![
            'Cipher',
            'Decipher',
            'createMac',
            'getMacs',
            'parsePKCS12',
            'randomUUIDv7',
          ].includes(name),
      )
      .sort(),
  'has its constants': (library) => library.constants,
  'has its curves': (library) => library.getCurves(),
});

same('structuredClone', {
  'makes another object of the same key': (library) => {
    const { publicKey, privateKey } = library.generateKeyPairSync('ed25519');
    const secret = library.createSecretKey(Buffer.from('abc'));
    return [secret, publicKey, privateKey].map((key) => {
      const [other] = structuredClone([key]);
      return [
        other === key,
        other.equals(key),
        other.type,
        other instanceof library.KeyObject,
        other.asymmetricKeyType ?? 'none',
      ];
    });
  },
});
