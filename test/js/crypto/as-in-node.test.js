'use strict';

// What node:crypto refuses, in which order, and with which words.

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
