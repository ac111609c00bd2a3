'use strict';

// Refusals of node:crypto: their order and their words.

const { same } = require('./support.js');

same('arguments', {
  'are shown alike': (crypto) =>
    [
      'x'.repeat(99),
      "it's long enough to be cut",
      '\ud800',
      [],
      Object.create(null),
      new (class extends Array {})(),
      () => {},
      1e21,
      -0,
      5n,
      Symbol('s'),
    ]
      .flatMap((value) => [
        () => crypto.createHash(value),
        () => crypto.generatePrimeSync(8, value),
        () => crypto.randomBytes(value),
        () => crypto.createHmac('sha1', value),
        () => crypto.pbkdf2Sync('a', 'b', value, 1, 'sha1'),
        () => crypto.hkdfSync('sha1', 'a', 'b', value, 1),
        () => crypto.createECDH(value),
      ])
      .map((make) => {
        try {
          return typeof make();
        } catch ({ name, message, code, stack }) {
          return [name, message, code, stack.split('\n')[0]];
        }
      }),
  'are refused in one order': (crypto) =>
    [
      () => crypto.pbkdf2('a', 'b', 1, 1, 'nope', 5),
      () => crypto.pbkdf2('a', 'b', 0, 1, 'nope', 5),
      () => crypto.hkdf('nope', 'a', 'b', 'c', 1, 5),
      () => crypto.hkdf('sha1', 'a', 'b', 'c', 9000, 5),
      () => crypto.hkdf('sha1', 'a', 5, 'c', 9000, 5),
    ].map((make) => {
      try {
        return typeof make();
      } catch ({ message, code }) {
        return [message, code];
      }
    }),
});

same('what fails later', {
  'has the same error': async (crypto) => {
    const { privateKey } = crypto.generateKeyPairSync('ed25519');
    const ended = (start) =>
      new Promise((resolve) => {
        start((error) => {
          const { message, code, library } = error ?? {};
          resolve([message, code, library]);
        });
      });
    return [
      await ended((done) => crypto.sign('sha256', 'a', privateKey, done)),
      await ended((done) => crypto.hkdf('shake256', 'a', 'b', 'c', 5, done)),
      await ended((done) => crypto.hkdf('sha256', 'a', 'b', 'c', 0, done)),
    ];
  },
});

same('a certificate', {
  'has the same parts': (crypto) => {
    const pem = [
      '-----BEGIN CERTIFICATE-----',
      'MIICXzCCAgSgAwIBAgIUEhXPIg57qSJabDWbtdupMUPI19EwCgYIKoZIzj0EAwIw',
      'OjEUMBIGA1UEAwwLZXhhbXBsZS5jb20xDDAKBgNVBAoMA09yZzEUMBIGCSqGSIb3',
      'DQEJARYFYUBiLmMwHhcNMjYxMTI5MDgzNTI3WhcNMzYxMTI2MDgzNTI3WjA6MRQw',
      'EgYDVQQDDAtleGFtcGxlLmNvbTEMMAoGA1UECgwDT3JnMRQwEgYJKoZIhvcNAQkB',
      'FgVhQGIuYzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABE2eT5LDf+2gVlVA9Tiz',
      'acHzVTLNFRcVonVWN3avPcteDaiEX54GX+bmUcz4aANI1X1Xbx6QvhN54mtPgRjC',
      'YK2jgecwgeQwHQYDVR0OBBYEFM5O1b8yZERtntUri+6P1/hlWa27MB8GA1UdIwQY',
      'MBaAFM5O1b8yZERtntUri+6P1/hlWa27MA8GA1UdEwEB/wQFMAMBAf8wPgYDVR0R',
      'BDcwNYINKi5leGFtcGxlLmNvbYILZXhhbXBsZS5jb22HBH8AAAGBBWFAYi5jhgpo',
      'dHRwOi8veC95MAsGA1UdDwQEAwIHgDAdBgNVHSUEFjAUBggrBgEFBQcDAQYIKwYB',
      'BQUHAwIwJQYIKwYBBQUHAQEEGTAXMBUGCCsGAQUFBzABhglodHRwOi8vby8wCgYI',
      'KoZIzj0EAwIDSQAwRgIhANW4PVzWnMkxEWpCiiWrKymcMQS6NxROtuqvmxHO4ny4',
      'AiEAqvTembb2WppLid91d+laAD1oFYxlzGLmHWREMZClVPo=',
      '-----END CERTIFICATE-----',
    ].join('\n');
    const certificate = new crypto.X509Certificate(pem);
    const tried = (work) => {
      try {
        return work();
      } catch ({ name, message, code }) {
        return [name, message, code];
      }
    };
    return [
      Object.getOwnPropertyNames(crypto.X509Certificate.prototype).sort(),
      ...['subject', 'issuer', 'subjectAltName', 'infoAccess', 'keyUsage'].map(
        (part) => certificate[part],
      ),
      ...['signatureAlgorithm', 'signatureAlgorithmOid', 'ca'].map(
        (part) => certificate[part],
      ),
      Object.entries(certificate.toLegacyObject()),
      ...['always', 'x', 5].map((subject) =>
        tried(() => certificate.checkHost('example.com', { subject })),
      ),
      tried(() => certificate.checkIP('no address')),
    ];
  },
});

// Node 24 had no MACs of all kinds at first.
if (typeof require('node:crypto').createMac === 'function') {
  same('createMac', {
    'has the names, results and refusals': (crypto) => {
      const options = [
        ['digest', 'sha256'],
        ['digest', 'nope'],
        ['cipher', 'aes-128-cbc'],
        ['cipher', 'aes-128-gcm'],
        ['iv', Buffer.alloc(12)],
        ['iv', new ArrayBuffer(0)],
        ['customization', Buffer.alloc(3)],
        ['salt', Buffer.alloc(3)],
        ['salt', 'x'],
        ['outputLength', 0],
        ['outputLength', 8],
        ['outputLength', 100],
        ['outputLength', -1],
      ];
      const base = {
        hmac: { digest: 'sha1' },
        cmac: { cipher: 'aes-128-cbc' },
        gmac: { cipher: 'aes-128-gcm', iv: Buffer.alloc(12, 1) },
      };
      const names = crypto.getMacs();
      return [
        names,
        ...[...names, 'HMAC', 'nope', '1.2.3', '', 5].flatMap((name) =>
          [undefined, {}, null, ...options.map((pair) => [pair])]
            .flatMap((given) => {
              if (!Array.isArray(given)) return [given];
              const own = Object.fromEntries(given);
              return [own, { ...base[name], ...own }];
            })
            .map((given) => {
              try {
                const key = Buffer.alloc(name === 'poly1305' ? 32 : 16, 1);
                return crypto
                  .createMac(name, key, given)
                  .update('abc')
                  .update('ZGVm', 'base64')
                  .final('hex');
              } catch ({ message, code }) {
                return [name, message, code];
              }
            }),
        ),
      ];
    },
    'is a stream, and ends once': async (crypto) => {
      const made = () =>
        crypto.createMac('hmac', Buffer.alloc(3), { digest: 'sha1' });
      const chunks = [];
      for await (const chunk of made().end('abc')) chunks.push(chunk);
      const ended = made();
      ended.final();
      return [
        chunks,
        ...[
          () => ended.update('a'),
          () => ended.final(),
          () => made().update(5),
          () => made().update('abc', 'hex'),
          () => made().update('a', 'nope'),
          () => made().final('nope'),
          () => made().final(5),
          () => made().final('LATIN1'),
          () => made().final('Buffer'),
          () => crypto.createMac('hmac', 'text', { digest: 'sha1' }),
          () =>
            crypto
              .createMac('hmac', crypto.createSecretKey(Buffer.alloc(3)), {
                digest: 'sha1',
              })
              .final('hex'),
        ].map((work) => {
          try {
            return work();
          } catch ({ name, message, code }) {
            return [name, message, code];
          }
        }),
      ];
    },
  });
}

function hasRawKeys() {
  const { createPrivateKey } = require('node:crypto');
  const [format, asymmetricKeyType] = ['raw-private', 'ed25519'];
  try {
    createPrivateKey({ key: Buffer.alloc(32, 1), format, asymmetricKeyType });
    return true;
  } catch {
    return false;
  }
}

if (hasRawKeys()) {
  same('keys as bare bytes', {
    'are read and written': (crypto) => {
      const sizes = {
        ed25519: 32,
        ed448: 57,
        x25519: 32,
        x448: 56,
        'slh-dsa-sha2-128f': 64,
        'ml-dsa-44': 32,
        'ml-kem-512': 64,
        ec: 32,
        rsa: 32,
        'rsa-pss': 32,
        dsa: 32,
        dh: 32,
        nope: 32,
      };
      const tried = (work) => {
        try {
          const made = work();
          if (made.type === undefined) return made;
          const type = made.type === 'public' ? 'spki' : 'pkcs8';
          const der = made.export({ format: 'der', type });
          const jwk = made.export({ format: 'jwk' });
          return [made.type, made.asymmetricKeyType, der, jwk];
        } catch ({ name, message, code }) {
          return [name, message, code];
        }
      };
      return Object.entries(sizes).flatMap(([asymmetricKeyType, size]) =>
        ['raw-public', 'raw-private', 'raw-seed'].flatMap((format) =>
          [0, 1, -1].flatMap((more) => {
            const input = {
              key: Buffer.alloc(size + more, 7),
              format,
              asymmetricKeyType,
              ...(asymmetricKeyType === 'ec' && { namedCurve: 'P-256' }),
            };
            const results = [
              tried(() => crypto.createPublicKey(input)),
              tried(() => crypto.createPrivateKey(input)),
            ];
            if (results[1][0] !== 'private') return results;
            const open = crypto.createPublicKey(input);
            const own = crypto.createPrivateKey(input);
            const types = [undefined, 'compressed', 'uncompressed', 'spki'];
            const written = [open, own].flatMap((key) =>
              ['raw-public', 'raw-private', 'raw-seed'].flatMap((wanted) =>
                types.map((type) =>
                  tried(() => key.export({ format: wanted, type })),
                ),
              ),
            );
            return [
              ...results,
              ...written,
              tried(() =>
                crypto.createPublicKey({
                  ...input,
                  key: open.export({ format: 'raw-public' }),
                  format: 'raw-public',
                }),
              ),
              tried(() => own.export({ format, passphrase: 'x' })),
            ];
          }),
        ),
      );
    },
    'are read of a JWK': (crypto) => {
      const kinds = {
        'ml-dsa-44': 'raw-seed',
        'ml-kem-512': 'raw-seed',
        'slh-dsa-sha2-128f': 'raw-private',
      };
      const changes = [
        {},
        { priv: undefined },
        { priv: 'AAAA' },
        { priv: 5 },
        { pub: 'AAAA' },
        { pub: undefined },
        { alg: 'ML-DSA-45' },
        { alg: 'ml-dsa-44' },
        { alg: 5 },
      ];
      return Object.entries(kinds).flatMap(([asymmetricKeyType, format]) => {
        const size = { 'ml-dsa-44': 32 }[asymmetricKeyType] ?? 64;
        const key = Buffer.alloc(size, 3);
        const jwk = crypto
          .createPrivateKey({ key, format, asymmetricKeyType })
          .export({ format: 'jwk' });
        return changes.flatMap((change) =>
          ['createPrivateKey', 'createPublicKey'].map((create) => {
            try {
              const input = { key: { ...jwk, ...change }, format: 'jwk' };
              return crypto[create](input).export({ format: 'jwk' });
            } catch ({ name, message, code }) {
              return [name, message, code];
            }
          }),
        );
      });
    },
    'are refused': (crypto) => {
      const key = Buffer.alloc(32, 1);
      const format = 'raw-private';
      const encodings = [
        [{ format: 'raw-public' }, { format: 'raw-private' }],
        [{ format: 'raw-private' }, undefined],
        [undefined, { format: 'raw-public' }],
        [{ format: 'raw-public', type: 'spki' }, undefined],
        [undefined, { format: 'raw-private', type: 'pkcs8' }],
        [undefined, { format: 'raw-private', passphrase: 'x' }],
        [{ format: 'raw-public', type: 'compressed' }, undefined],
      ];
      return [
        () => crypto.createPrivateKey({ key: 'x', format }),
        () => crypto.createPrivateKey({ key, format }),
        () => crypto.createPrivateKey({ key, format, asymmetricKeyType: 5 }),
        ...['nope', 5, undefined].map(
          (namedCurve) => () =>
            crypto.createPrivateKey({
              key,
              format,
              asymmetricKeyType: 'ec',
              namedCurve,
            }),
        ),
        () =>
          crypto.sign(null, key, { key, format, asymmetricKeyType: 'ed25519' }),
        ...encodings.map(([publicKeyEncoding, privateKeyEncoding]) => () => {
          const pair = crypto.generateKeyPairSync('ec', {
            namedCurve: 'P-256',
            publicKeyEncoding,
            privateKeyEncoding,
          });
          return [pair.publicKey.length, pair.privateKey.length];
        }),
      ].map((work) => {
        try {
          return work();
        } catch ({ name, message, code }) {
          return [name, message, code];
        }
      });
    },
  });
}
