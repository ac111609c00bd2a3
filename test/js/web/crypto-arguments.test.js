'use strict';

/* global thrown, rejected */
const { AS_NODE, standard } = require('./support.js');

// Node's getRandomValues reads its argument as Web IDL does since then.
const [MAJOR] = process.versions.node.split('.').map(Number);
const READS_VIEWS = MAJOR >= 25;

standard('what crypto.subtle is given', {
  'lengths are numbers in their range': [
    async () => {
      const names = [];
      const make = (algorithm, usages) =>
        rejected(crypto.subtle.generateKey(algorithm, true, usages));
      for (const length of [undefined, NaN, 2 ** 32 + 128, -1, 100]) {
        names.push(await make({ name: 'AES-CBC', length }, []));
      }
      names.push(
        await make({ name: 'AES-CBC', length: 128 }, []),
        await make({ name: 'AES-CBC', length: 100 }, ['sign']),
        await make({ name: 'AES-CBC', length: 128 }, ['none']),
        await make({ name: 'HMAC', hash: 'SHA-1', length: 0 }, ['sign']),
        await make(undefined, []),
        await make({}, []),
      );
      return names;
    },
    AS_NODE,
  ],
  'an exponent that none can have is refused before a key is made': [
    () => {
      const make = (exponent, usages) =>
        rejected(
          crypto.subtle.generateKey(
            {
              name: 'RSA-PSS',
              hash: 'SHA-256',
              modulusLength: 1024,
              publicExponent: exponent,
            },
            true,
            usages,
          ),
        );
      return Promise.all([
        make(Uint8Array.of(1), []),
        make(Uint8Array.of(1, 0, 0), ['sign']),
        make(Uint8Array.of(1, 0, 1), []),
        make([1, 0, 1], ['sign']),
      ]);
    },
    [
      'DOM OperationError',
      'DOM OperationError',
      'DOM SyntaxError',
      'TypeError',
    ],
  ],
  'keys and agreements of odd lengths': [
    async () => {
      const { subtle } = crypto;
      // Nodes before 24 refuse one that is no whole number of bytes.
      const length = /^v2[0-3]/.test(process.version) ? 16 : 13;
      const hmac = { name: 'HMAC', hash: 'SHA-256', length };
      const key = await subtle.generateKey(hmac, true, ['sign']);
      const bytes = new Uint8Array(await subtle.exportKey('raw', key));
      const pair = await subtle.generateKey('X25519', false, ['deriveBits']);
      const bits = async (length) =>
        new Uint8Array(
          await subtle.deriveBits(
            { name: 'X25519', public: pair.publicKey },
            pair.privateKey,
            length,
          ),
        );
      const [all, some, none] = [await bits(), await bits(20), await bits(0)];
      return [
        key.algorithm.length,
        bytes.length,
        length === 13 ? bytes[1] & 7 : 0,
        all.length,
        some.length,
        (all[2] & 0xf0) === some[2],
        none.length,
        await rejected(bits(NaN).then(({ length }) => length)),
        await rejected(bits(264)),
      ];
    },
    [
      ...[MAJOR < 24 ? 16 : 13, 2, 0, 32, 3, true, 0],
      MAJOR >= 24 ? 'TypeError' : ['none', 0],
      'DOM OperationError',
    ],
  ],
  'a JWK says what it is for, and belongs together': [
    async () => {
      const { subtle } = crypto;
      const pair = await subtle.generateKey('Ed25519', true, ['sign']);
      const jwk = await subtle.exportKey('jwk', pair.privateKey);
      const other = await subtle.generateKey('Ed25519', true, ['sign']);
      const { x } = await subtle.exportKey('jwk', other.publicKey);
      const read = (more) =>
        rejected(
          subtle
            .importKey('jwk', { ...jwk, ...more }, 'Ed25519', true, ['sign'])
            .then(({ type }) => type),
        );
      return Promise.all(
        [
          {},
          { alg: 'EdDSA', use: 'sig' },
          { x },
          { x: undefined },
          { d: jwk.d.slice(1) },
          { alg: 'ES256' },
          { use: 'enc' },
          { key_ops: [] },
          { key_ops: ['sign', 'sign'] },
        ].map(read),
      );
    },
    [
      ['none', 'private'],
      ['none', 'private'],
      ...Array.from({ length: 7 }, () => 'DOM DataError'),
    ],
  ],
  'bytes are those after the algorithm was read': [
    async () => {
      const { subtle } = crypto;
      const key = await subtle.importKey(
        'raw',
        new Uint8Array(16),
        'AES-CTR',
        false,
        ['encrypt'],
      );
      const run = async (data, change) =>
        new Uint8Array(
          await subtle.encrypt(
            {
              get name() {
                change(data);
                return 'AES-CTR';
              },
              counter: new Uint8Array(16),
              length: 64,
            },
            key,
            data,
          ),
        );
      const plain = await run(Uint8Array.of(7), () => {});
      const changed = await run(Uint8Array.of(1), (data) => {
        data[0] = 7;
      });
      const gone = await run(Uint8Array.of(1), (data) => {
        structuredClone(0, { transfer: [data.buffer] });
      });
      return [plain[0] === changed[0], gone.length];
    },
    [true, 0],
  ],
  'kinds of errors, in their order': [
    async () => {
      const { subtle } = crypto;
      const raw = (name, extractable, usages) =>
        subtle.importKey('raw', new Uint8Array(16), name, extractable, usages);
      const hkdf = await raw('HKDF', false, ['deriveKey']);
      const kw = await raw('AES-KW', false, ['wrapKey']);
      const secret = await raw('AES-CBC', false, ['encrypt']);
      const derive = (more, derived, usages = ['encrypt']) =>
        subtle.deriveKey(
          {
            name: 'HKDF',
            hash: 'SHA-256',
            salt: new Uint8Array(1),
            info: new Uint8Array(1),
            ...more,
          },
          hkdf,
          derived,
          true,
          usages,
        );
      const aes = { name: 'AES-CBC', length: 128 };
      const all = [
        subtle.exportKey('raw', hkdf),
        subtle.wrapKey('raw', hkdf, kw, 'AES-KW'),
        subtle.wrapKey('raw', secret, kw, 'AES-KW'),
        subtle.exportKey('other', secret),
        subtle.importKey('jwk', new Uint8Array(16), aes, true, ['encrypt']),
        subtle.importKey('raw', { kty: 'oct' }, aes, true, ['encrypt']),
        derive({ salt: undefined }, aes),
        derive({ hash: 'SHA256' }, aes),
        derive({}, { name: 'AES-CBC', length: 100 }),
        derive({}, { name: 'Ed25519' }),
        derive({}, aes, []),
        subtle.encrypt({ name: 'AES-CBC' }, secret, new Uint8Array(1)),
        subtle.encrypt(aes, secret, 'text'),
        subtle.sign('HMAC', {}, new Uint8Array(1)),
        Object.getPrototypeOf(subtle).sign.call({}, 'HMAC', secret, kw),
        subtle.digest(undefined, new Uint8Array(1)),
        subtle.digest('SHA-1', 'text'),
      ];
      return [
        ...(await Promise.all(all.map(rejected))),
        thrown(() => crypto.getRandomValues(null)),
        thrown(() => crypto.getRandomValues(new DataView(new ArrayBuffer(1)))),
      ];
    },
    [
      MAJOR < 22 ? 'DOM InvalidAccessException' : 'DOM NotSupportedError',
      MAJOR < 22 ? 'DOM InvalidAccessException' : 'DOM NotSupportedError',
      // A name that is none, without a code.
      MAJOR < 24 ? 'DOM InvalidAccessException' : 'DOM InvalidAccessError',
      'TypeError',
      // Any object is a JsonWebKey, if one without members.
      MAJOR >= 26 ? 'TypeError' : 'DOM DataError',
      'TypeError',
      'TypeError',
      'DOM NotSupportedError',
      'DOM OperationError',
      'DOM NotSupportedError',
      'DOM SyntaxError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'DOM NotSupportedError',
      'TypeError',
      READS_VIEWS ? 'TypeError' : 'DOM TypeMismatchError',
      'DOM TypeMismatchError',
    ],
  ],
});
