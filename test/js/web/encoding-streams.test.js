'use strict';

/* global thrown, rejected, collect, within */
const { AS_NODE, standard } = require('./support.js');

standard('encoding streams', {
  'a pair that is split is joined, a lone half is replaced': [
    async () => {
      const encode = async (...pieces) =>
        (
          await collect(
            ReadableStream.from(pieces).pipeThrough(new TextEncoderStream()),
          )
        ).map((chunk) => [...chunk]);
      return [
        await encode('\uD83D', '\uDC99'),
        await encode('a\uD83D', '', '\uDC99b'),
        await encode('\uD83D', 'x'),
        await encode('\uD83D'),
        await encode(''),
        await encode('\uDC99', 5, null, { toString: () => 'o' }),
      ];
    },
    [
      [[240, 159, 146, 153]],
      [[97], [240, 159, 146, 153, 98]],
      [[239, 191, 189, 120]],
      [[239, 191, 189]],
      [],
      [[239, 191, 189], [53], [110, 117, 108, 108], [111]],
    ],
  ],
  'bad chunks end both sides with a TypeError': [
    async () => {
      const fail = async (stream, chunk) => {
        const writer = stream.writable.getWriter();
        const reader = stream.readable.getReader();
        const results = [
          within(writer.write(chunk)),
          within(reader.read()),
          within(reader.closed),
          within(writer.closed),
        ];
        return (await Promise.all(results)).join();
      };
      return Promise.all([
        fail(new TextEncoderStream(), Symbol('s')),
        fail(new TextEncoderStream(), {
          toString() {
            throw new TypeError('mine');
          },
        }),
        fail(new TextDecoderStream(), undefined),
        fail(new TextDecoderStream(), null),
        fail(new TextDecoderStream(), 3),
        fail(new TextDecoderStream(), [65]),
        fail(
          new TextDecoderStream('utf-8', { fatal: true }),
          Uint8Array.of(0xff),
        ),
      ]);
    },
    AS_NODE,
  ],
  attributes: [
    () => {
      const decoder = new TextDecoderStream('utf-16', {
        fatal: true,
        ignoreBOM: true,
      });
      return [
        decoder.encoding,
        decoder.fatal,
        decoder.ignoreBOM,
        new TextEncoderStream().encoding,
        thrown(() => new TextDecoderStream('no')),
        decoder.readable instanceof ReadableStream,
        decoder.writable instanceof WritableStream,
        [decoder.readable].includes(decoder.readable),
      ];
    },
    ['utf-16le', true, true, 'utf-8', 'RangeError', true, true, true],
  ],
  'an unfinished character at the end': [
    async () => {
      const decode = async (options, ...pieces) =>
        await rejected(
          collect(
            ReadableStream.from(
              pieces.map((p) => Uint8Array.from(p)),
            ).pipeThrough(new TextDecoderStream('utf-8', options)),
          ),
        );
      return [
        await decode({}, [97, 0xf0], [0x9f]),
        await decode({ fatal: true }, [97, 0xf0]),
        await decode({}, [0xf0], [0x9f, 0x92], [0x99]),
      ];
    },
    [['none', ['a', '\ufffd']], 'TypeError', ['none', ['\u{1F499}']]],
  ],
  'shared memory is accepted, empty pieces give nothing': [
    async () => {
      const bytes = new Uint8Array(new SharedArrayBuffer(2)).fill(97);
      return collect(
        ReadableStream.from([
          new Uint8Array(0),
          bytes,
          bytes.buffer,
        ]).pipeThrough(new TextDecoderStream()),
      );
    },
    ['aa', 'aa'],
  ],
  'the readable side has room for none, the writable for one': [
    () => {
      const stream = new TextEncoderStream();
      return [stream.writable.getWriter().desiredSize];
    },
    [1],
  ],
});
