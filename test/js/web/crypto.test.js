'use strict';

/* global thrown, rejected */
const { standard } = require('./support.js');

standard('crypto', {
  'getRandomValues fills integer views, and gives them back': [
    () => {
      const kinds = [
        Int8Array,
        Uint8Array,
        Uint8ClampedArray,
        Int16Array,
        Uint16Array,
        Int32Array,
        Uint32Array,
        BigInt64Array,
        BigUint64Array,
      ];
      const filled = kinds.every((Kind) => {
        const view = new Kind(16);
        return (
          crypto.getRandomValues(view) === view &&
          view.some((value) => Number(value) !== 0)
        );
      });
      const bytes = crypto.getRandomValues(
        new Uint8Array(new ArrayBuffer(64), 32, 16),
      );
      return [
        filled,
        new Uint8Array(bytes.buffer, 0, 32).every((byte) => byte === 0),
        crypto.getRandomValues(new Uint8Array(0)).length,
        crypto.getRandomValues(new Uint8Array(65536)).length,
        [
          new Float32Array(1),
          new Float64Array(1),
          new DataView(new ArrayBuffer(1)),
        ].map((view) => thrown(() => crypto.getRandomValues(view))),
        thrown(() => crypto.getRandomValues()),
        thrown(() =>
          Crypto.prototype.getRandomValues.call({}, new Uint8Array(1)),
        ),
      ];
    },
    [
      true,
      true,
      0,
      65536,
      [
        'DOM TypeMismatchError',
        'DOM TypeMismatchError',
        'DOM TypeMismatchError',
      ],
      'TypeError',
      'TypeError',
    ],
  ],
  'randomUUID has its version and variant': [
    () => {
      const all = new Set(
        Array.from({ length: 100 }, () => crypto.randomUUID()),
      );
      return [
        all.size,
        [...all].every((id) =>
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(
            id,
          ),
        ),
      ];
    },
    [100, true],
  ],
  objects: [
    () => [
      `${crypto}`,
      `${crypto.subtle}`,
      [crypto.subtle].includes(crypto.subtle),
      thrown(() => new Crypto()),
      thrown(() => new SubtleCrypto()),
      thrown(() => new CryptoKey()),
      thrown(() => Crypto.prototype.subtle),
    ],
    [
      '[object Crypto]',
      '[object SubtleCrypto]',
      true,
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
    ],
  ],
  digests: [
    async () => {
      const hex = async (name, text) =>
        [
          ...new Uint8Array(
            await crypto.subtle.digest(name, new TextEncoder().encode(text)),
          ),
        ]
          .map((byte) => byte.toString(16).padStart(2, '0'))
          .join('')
          .slice(0, 16);
      const bytes = new Uint8Array(8);
      const copied = crypto.subtle.digest('SHA-256', bytes);
      bytes.fill(1);
      return [
        await hex('sha-1', 'abc'),
        await hex({ name: 'SHA-256' }, 'abc'),
        await hex('SHA-384', 'abc'),
        await hex('SHA-512', 'abc'),
        new Uint8Array(await copied)[0],
        await rejected(crypto.subtle.digest('MD5', bytes)),
        await rejected(crypto.subtle.digest('SHA-256')),
        await rejected(crypto.subtle.digest('SHA-256', 'x')),
        await rejected(crypto.subtle.digest({}, bytes)),
      ];
    },
    [
      'a9993e364706816a',
      'ba7816bf8f01cfea',
      'cb00753f45a35e8b',
      'ddaf35a193617aba',
      0xaf,
      'DOM NotSupportedError',
      'TypeError',
      'TypeError',
      'TypeError',
    ],
  ],
});

standard('navigator', {
  'says something of the machine': [
    () => [
      navigator.hardwareConcurrency >= 1,
      typeof navigator.userAgent,
      navigator.language === new Intl.DateTimeFormat().resolvedOptions().locale,
      Object.isFrozen(navigator.languages),
      `${navigator}`,
      thrown(() => new Navigator()),
      thrown(() => Navigator.prototype.userAgent),
    ],
    [
      true,
      'string',
      true,
      true,
      '[object Navigator]',
      'TypeError',
      'TypeError',
    ],
  ],
});
