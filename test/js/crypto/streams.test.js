'use strict';

// Hashes, MACs, ciphers and signatures as streams: what they take, when, and
// which members they show.

const { same } = require('./support.js');

const makers = `({
  hash: (options) => crypto.createHash('md5', options),
  hmac: (options) => crypto.createHmac('md5', 'k', options),
  cipher: (options) => crypto.createCipheriv('aes-128-cbc', key, key, options),
  sign: (options) => crypto.createSign('sha256', options),
  verify: (options) => crypto.createVerify('sha256', options),
  ...(crypto.createMac && {
    mac: (options) =>
      crypto.createMac('hmac', key, { digest: 'sha1', ...options }),
  }),
})`;

/** A program that does each of `ways` with each kind of stream. */
const each = (ways) => `async (crypto) => {
  const key = Buffer.alloc(16);
  const all = [];
  for (const [kind, make] of Object.entries(${makers})) {
    const optionsOf = [undefined, { defaultEncoding: 'latin1' }];
    for (const options of [...optionsOf, { encoding: 'base64' }]) {
      for (const way of (${ways})(options)) {
        const seen = [];
        try {
          const stream = make(options);
          for (const name of ['error', 'finish', 'end', 'close']) {
            stream.on(name, (value) => seen.push([name, value?.message]));
          }
          stream.on('data', (data) => seen.push(data.toString('hex')));
          way(stream, seen);
          stream.end();
          await new Promise((resolve) => setImmediate(setImmediate, resolve));
          const { decodeStrings, defaultEncoding } = stream._writableState;
          seen.push(Object.keys(stream), decodeStrings, defaultEncoding);
        } catch ({ name, message, code }) {
          seen.push([name, message, code]);
        }
        all.push([kind, way.toString(), seen]);
      }
    }
  }
  return all;
}`;

same('streams', {
  'take texts and bytes': each(() =>
    [
      ['abc'],
      ['\u00e9'],
      ['\u00e9', 'latin1'],
      ['zz', 'hex'],
      ['6162', 'hex'],
      ['YWI', 'base64'],
      ['ab', 'buffer'],
      ['ab', 'nope'],
      [5],
      [null],
      [new Uint16Array(2)],
    ].map((given) => (stream, seen) => {
      seen.push(String(given));
      stream.write(...given);
    }),
  ),
  'that have given their digest': each(() => [
    (stream) => stream.update('a'),
    (stream) => stream.digest?.(),
    (stream) => {
      stream.digest?.();
      stream.write('x');
    },
    (stream, seen) => {
      stream.on('finish', () => {
        try {
          seen.push(stream.digest?.('hex'));
        } catch ({ message }) {
          seen.push(message);
        }
      });
      stream.digest?.('hex');
    },
  ]),
  'have members that are not the options': (crypto) =>
    ['createSign', 'createVerify', 'createHash', 'createHmac'].map((name) =>
      [undefined, null, { highWaterMark: 5 }, 5].map((options) => {
        const made = crypto[name](
          'sha256',
          ...(/mac/.test(name) ? ['k'] : []),
          options,
        );
        return [made._options, made.writableHighWaterMark];
      }),
    ),
});
