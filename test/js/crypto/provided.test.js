'use strict';

// Names that only OpenSSL's providers have: Node's since 26, unknown before.

const { same } = require('./support.js');

same('provided names', {
  'are known alike': (crypto) =>
    ['keccak-224', 'sha-256/192', 'SHA2-256', '2.16.840.1.101.3.4.2.1', 'NULL']
      .flatMap((name) => [
        () => crypto.createHash(name).update('a').digest('hex'),
        () => crypto.createHmac(name, 'key').update('a').digest('hex'),
      ])
      .map((make) => {
        try {
          return make();
        } catch (error) {
          return [error.code, error.message];
        }
      }),
  'of ciphers are known alike': (crypto) =>
    [
      'NULL',
      'AES-128-CBC-CTS',
      'aes-128-cbc-hmac-sha1',
      'aes-128-wrap-inv',
      'aes128-wrap',
      'id-aes128-CCM',
      'sm4-xts',
    ].map((name) => {
      const info = crypto.getCipherInfo(name);
      try {
        const { keyLength, ivLength } = info;
        const key = Buffer.from([...Array(keyLength).keys()]);
        const iv = Buffer.alloc(ivLength, 2);
        const cipher = crypto.createCipheriv(name, key, iv);
        // It works in records of TLS alone.
        if (/hmac/.test(name)) return [info, 'made'];
        return [info, cipher.update('x'.repeat(24)), cipher.final()];
      } catch (error) {
        return [info, error.code, error.message];
      }
    }),
});

/** The results of `cases` by ciphers of one message, all at once. */
const tried = (cases) =>
  [
    ['aes-128-siv', 32, 0],
    ['aes-192-gcm-siv', 24, 12],
    ['sm4-gcm', 16, 12],
  ].map(([name, keyLength, ivLength]) =>
    cases({
      name,
      key: Buffer.from([...Array(keyLength).keys()]),
      iv: ivLength ? Buffer.alloc(ivLength, 2) : null,
    }).map((each) => {
      try {
        return each();
      } catch (error) {
        return [error.code, error.message];
      }
    }),
  );

/** The program `cases` of (crypto, setting) → functions, as one of (crypto). */
const program = (cases) =>
  new Function('crypto', `return (${tried})((${cases})(crypto));`);

same('ciphers of one message', {
  'take such ivs, tags and keys': program((crypto) => ({ name, key, iv }) => {
    const make = (...args) => crypto.createCipheriv(name, ...args) && 'made';
    const bytes = (size) => Buffer.alloc(size, 2);
    const info = (options) => () => crypto.getCipherInfo(name, options);
    return [
      ...[0, 8, 11, 12, 13].map((size) => () => make(key, bytes(size))),
      () => make(key, null),
      ...[0, 4, 12, 15, 16, 17].map(
        (authTagLength) => () => make(key, iv, { authTagLength }),
      ),
      ...[{ ivLength: 0 }, { ivLength: 12 }].map(info),
    ];
  }),
  'encrypt alike': program((crypto) => ({ name, key, iv }) => {
    const seal = (heads, parts) => () => {
      const cipher = crypto.createCipheriv(name, key, iv);
      for (const head of heads) cipher.setAAD(Buffer.from(head));
      const sealed = parts.map((part) => cipher.update(part));
      return [...sealed, cipher.final(), cipher.getAuthTag()];
    };
    return [
      seal([], ['some data']),
      seal(['head'], ['some data']),
      seal(['he', 'ad'], ['some data']),
      seal([''], ['some data']),
      seal([], ['']),
      seal([], []),
      seal([], ['x'.repeat(300_000)]),
      () => {
        const cipher = crypto.createCipheriv(name, key, iv);
        cipher.update('a');
        return cipher.getAuthTag();
      },
    ];
  }),
  'decrypt alike': program((crypto) => ({ name, key, iv }) => {
    const cipher = crypto.createCipheriv(name, key, iv);
    cipher.setAAD(Buffer.from('head'));
    const sealed = Buffer.concat([cipher.update('some data'), cipher.final()]);
    const tag = cipher.getAuthTag();
    const steps = {
      head: (open) => open.setAAD(Buffer.from('head')) && 'head',
      tag: (open) => open.setAuthTag(tag) && 'tag',
      wrong: (open) => open.setAuthTag(Buffer.alloc(16)) && 'wrong',
      short: (open) => open.setAuthTag(tag.subarray(1)) && 'short',
      all: (open) => open.update(sealed),
      begin: (open) => open.update(sealed.subarray(0, 4)),
      end: (open) => open.final(),
    };
    // The state that a failed update left is not compared: no one has its tag.
    const order =
      (...names) =>
      () => {
        const open = crypto.createDecipheriv(name, key, iv);
        return names.map((step) => {
          try {
            return steps[step](open);
          } catch (error) {
            return [error.code, error.message];
          }
        });
      };
    return [
      order('head', 'tag', 'all', 'end'),
      order('tag', 'head', 'all', 'end'),
      order('head', 'wrong', 'all', 'end'),
      order('head', 'tag', 'begin', 'end'),
      order('head', 'all', 'end'),
      order('head', 'tag', 'tag', 'all', 'end', 'end'),
      order('head', 'short'),
      order('end'),
    ];
  }),
});

// The last one: what does not fit stays in the error queue of Node's thread.
same('getCipherInfo', {
  'take ivs of such lengths': (crypto) =>
    ['aes-128-gcm', 'aes-128-ocb', 'aes-128-ccm', 'aes-128-cbc'].flatMap(
      (name) =>
        [0, 1, 7, 12, 15, 16, 1000].map((ivLength) =>
          crypto.getCipherInfo(name, { ivLength }),
        ),
    ),
});
