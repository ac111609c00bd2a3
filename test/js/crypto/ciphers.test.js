'use strict';

const { same } = require('./support.js');

same('ciphers', {
  'are those of this Node': (crypto) =>
    crypto.getCiphers().map((name) => crypto.getCipherInfo(name)),
  'all encrypt alike': (crypto) =>
    crypto
      .getCiphers()
      .filter((name) => !/ccm|ocb|gcm|siv|wrap|xts|cts|poly|hmac/i.test(name))
      .map((name) => {
        const { keyLength, ivLength = 0 } = crypto.getCipherInfo(name);
        const iv = ivLength ? Buffer.alloc(ivLength, 2) : null;
        try {
          const cipher = crypto.createCipheriv(
            name,
            Buffer.alloc(keyLength, 1),
            iv,
          );
          return [
            name,
            cipher.update('some data', 'utf8', 'hex') + cipher.final('hex'),
          ];
        } catch (error) {
          return [name, error.name, error.code];
        }
      }),
  'authenticate alike': (crypto) =>
    ['aes-128-gcm', 'aes-192-ccm', 'aes-256-ocb', 'chacha20-poly1305'].map(
      (name) => {
        const { keyLength } = crypto.getCipherInfo(name);
        const make = (kind) =>
          crypto[kind](name, Buffer.alloc(keyLength, 1), Buffer.alloc(12, 2), {
            authTagLength: 16,
          });
        const cipher = make('createCipheriv');
        cipher.setAAD(Buffer.from('head'), { plaintextLength: 9 });
        const sealed = Buffer.concat([
          cipher.update('some data'),
          cipher.final(),
        ]);
        const tag = cipher.getAuthTag();
        const open = (wanted) => {
          const decipher = make('createDecipheriv');
          decipher.setAuthTag(wanted);
          decipher.setAAD(Buffer.from('head'), { plaintextLength: 9 });
          try {
            return (
              decipher.update(sealed, null, 'utf8') + decipher.final('utf8')
            );
          } catch (error) {
            return error.message;
          }
        };
        return [sealed, tag, open(tag), open(Buffer.alloc(16))];
      },
    ),
  'take tags of GCM alike': (crypto) =>
    [0, 3, 4, 8, 11, 12, 15, 16, 17].flatMap((size) =>
      [undefined, { authTagLength: size }].map((options) => {
        const iv = Buffer.alloc(12);
        const make = () =>
          crypto.createDecipheriv('aes-128-gcm', Buffer.alloc(16), iv, options);
        try {
          return make().setAuthTag(Buffer.alloc(size)) && 'taken';
        } catch (error) {
          return [error.code, error.message];
        }
      }),
    ),
  'wrap keys': (crypto) => {
    const iv = Buffer.alloc(8, 0xa6);
    const key = Buffer.alloc(16, 1);
    const cipher = crypto.createCipheriv('id-aes128-wrap', key, iv);
    const wrapped = cipher.update(Buffer.alloc(24, 5));
    const back = crypto.createDecipheriv('id-aes128-wrap', key, iv);
    return [wrapped, back.update(wrapped)];
  },
  'work in pieces': (crypto) => {
    const data = Buffer.alloc(3_000_000, 'abc');
    const make = (kind) =>
      crypto[kind]('aes-256-cbc', Buffer.alloc(32), Buffer.alloc(16));
    const cipher = make('createCipheriv');
    const parts = [1, 15, 16, 17, 100_000, 2_899_951].map((size, at) =>
      cipher.update(data.subarray(at, at + size)),
    );
    const all = Buffer.concat([...parts, cipher.final()]);
    return crypto.createHash('md5').update(all).digest('hex');
  },
  'leave the padding away': (crypto) => {
    const cipher = crypto.createCipheriv('aes-128-ecb', Buffer.alloc(16), null);
    cipher.setAutoPadding(false);
    return [cipher.update(Buffer.alloc(16)), cipher.final()];
  },
  'are streams': (crypto) =>
    new Promise((resolve) => {
      const cipher = crypto.createCipheriv(
        'aes-128-ctr',
        Buffer.alloc(16),
        Buffer.alloc(16),
      );
      let text = '';
      cipher.setEncoding('hex');
      cipher.on('data', (part) => {
        text += part;
      });
      cipher.on('end', () => resolve(text));
      cipher.write('some ');
      cipher.end('data');
    }),
  'keep the rest of a text': (crypto) => {
    const cipher = crypto.createCipheriv(
      'aes-128-ctr',
      Buffer.alloc(16),
      Buffer.alloc(16),
    );
    return [
      cipher.update('ab', 'utf8', 'base64'),
      cipher.update('cde', 'utf8', 'base64'),
      cipher.final('base64'),
    ];
  },
});

same('errors of ciphers', {
  unknown: (crypto) => crypto.createCipheriv('none', 'a', 'b'),
  'short key': (crypto) =>
    crypto.createCipheriv('aes-128-cbc', 'short', Buffer.alloc(16)),
  'short iv': (crypto) =>
    crypto.createCipheriv('aes-128-cbc', Buffer.alloc(16), 'a'),
  'no iv': (crypto) =>
    crypto.createCipheriv('aes-128-cbc', Buffer.alloc(16), null),
  'wrong key type': (crypto) => crypto.createCipheriv('aes-128-cbc', 1, null),
  'bad padding': (crypto) => {
    const decipher = crypto.createDecipheriv(
      'aes-128-ecb',
      Buffer.alloc(16),
      null,
    );
    decipher.update(Buffer.alloc(16));
    return decipher.final();
  },
  'half a block': (crypto) => {
    const decipher = crypto.createDecipheriv(
      'aes-128-ecb',
      Buffer.alloc(16),
      null,
    );
    decipher.update(Buffer.alloc(5));
    return decipher.final();
  },
  'no tag': (crypto) => {
    const decipher = crypto.createDecipheriv(
      'aes-128-gcm',
      Buffer.alloc(16),
      Buffer.alloc(12),
    );
    decipher.update('a');
    return decipher.final();
  },
  'tag of a wrong length': (crypto) =>
    crypto
      .createDecipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12))
      .setAuthTag(Buffer.alloc(3)),
  'tag too early': (crypto) =>
    crypto
      .createCipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12))
      .getAuthTag(),
  'no tag length': (crypto) =>
    crypto.createCipheriv('aes-128-ccm', Buffer.alloc(16), Buffer.alloc(12)),
  'no plaintext length': (crypto) =>
    crypto
      .createCipheriv('aes-128-ccm', Buffer.alloc(16), Buffer.alloc(12), {
        authTagLength: 16,
      })
      .setAAD(Buffer.alloc(1)),
  'twice final': (crypto) => {
    const cipher = crypto.createCipheriv('aes-128-ecb', Buffer.alloc(16), null);
    cipher.final();
    return cipher.final();
  },
  'update after final': (crypto) => {
    const cipher = crypto.createCipheriv('aes-128-ecb', Buffer.alloc(16), null);
    cipher.final();
    return cipher.update('a');
  },
  'AAD without a need': (crypto) =>
    crypto
      .createCipheriv('aes-128-ecb', Buffer.alloc(16), null)
      .setAAD(Buffer.alloc(1)),
});

same('random numbers', {
  'have the sizes asked for': (crypto) => [
    crypto.randomBytes(0).length,
    crypto.randomBytes(300_000).length,
    crypto.randomFillSync(new Uint16Array(5)).length,
    crypto.randomUUID().length,
    crypto.randomInt(1),
    crypto.generatePrimeSync(8, { safe: true, bigint: true }) > 2n,
    crypto.checkPrimeSync(2n ** 127n - 1n),
    crypto.checkPrimeSync(2n ** 127n),
  ],
  'leave the rest of a buffer': (crypto) => {
    const filled = crypto.randomFillSync(Buffer.alloc(100), 40, 20);
    return [filled.subarray(0, 40), filled.subarray(60)];
  },
  'a negative size': (crypto) => crypto.randomBytes(-1),
  'no size': (crypto) => crypto.randomBytes('1'),
  'an offset outside': (crypto) => crypto.randomFillSync(Buffer.alloc(1), 2),
  'too much': (crypto) => crypto.randomFillSync(Buffer.alloc(5), 1, 5),
  'an empty range': (crypto) => crypto.randomInt(5, 5),
  'a range too large': (crypto) => crypto.randomInt(2 ** 48),
  'no number': (crypto) => crypto.randomInt('5'),
  'a prime that cannot be': (crypto) =>
    crypto.generatePrimeSync(3, { add: 100n }),
  'no candidate': (crypto) => crypto.checkPrimeSync('1'),
  'views of other lengths': (crypto) =>
    crypto.timingSafeEqual(Buffer.alloc(1), Buffer.alloc(2)),
  'no views': (crypto) => crypto.timingSafeEqual('a', 'b'),
  'compare in constant time': (crypto) => [
    crypto.timingSafeEqual(Buffer.from('abc'), Buffer.from('abc')),
    crypto.timingSafeEqual(new Float64Array(9), Buffer.alloc(72, 1)),
  ],
});
