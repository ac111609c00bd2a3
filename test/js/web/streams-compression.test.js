'use strict';

/* global thrown, rejected, collect, within */
const { AS_NODE, standard } = require('./support.js');

standard('compression streams', {
  'there and back, in every format': [
    async () => {
      const text = 'sloppy '.repeat(5000);
      const sizes = [];
      for (const format of ['gzip', 'deflate', 'deflate-raw']) {
        const packed = new Blob([text])
          .stream()
          .pipeThrough(new CompressionStream(format));
        const bytes = await new Blob(await collect(packed)).arrayBuffer();
        const back = await new Blob(
          await collect(
            new Blob([bytes])
              .stream()
              .pipeThrough(new DecompressionStream(format)),
          ),
        ).text();
        sizes.push(bytes.byteLength < 500 && back === text);
      }
      return sizes;
    },
    [true, true, true],
  ],
  'formats and chunks are checked': [
    async () => {
      const bad = async (Kind, chunk) => {
        const stream = new Kind('gzip');
        const { writable } = stream;
        const results = [
          within(collect(stream.readable)),
          within((async () => writable.getWriter().write(chunk))()),
        ];
        return (await Promise.all(results)).join();
      };
      return Promise.all([
        thrown(() => new CompressionStream()),
        thrown(() => new CompressionStream('zip')),
        thrown(() => new DecompressionStream('GZIP')),
        bad(CompressionStream, 'text'),
        bad(CompressionStream, null),
        bad(CompressionStream, [1]),
        bad(CompressionStream, undefined),
        bad(DecompressionStream, 5),
        bad(
          DecompressionStream,
          Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
        ),
        bad(CompressionStream, new Uint8Array(new SharedArrayBuffer(2))),
      ]);
    },
    AS_NODE,
  ],
  'broken data: too short, too long, changed': [
    async () => {
      const packed = new Uint8Array(
        await new Blob(
          await collect(
            new Blob(['hello'])
              .stream()
              .pipeThrough(new CompressionStream('gzip')),
          ),
        ).arrayBuffer(),
      );
      const read = (bytes) =>
        rejected(
          collect(
            ReadableStream.from([bytes]).pipeThrough(
              new DecompressionStream('gzip'),
            ),
          ).then((all) => all.length),
        );
      const changed = packed.slice();
      changed[changed.length - 6] ^= 1;
      const longer = new Uint8Array(packed.length + 1);
      longer.set(packed);
      return [
        await read(packed.slice(0, -1)),
        await read(longer),
        await read(changed),
        await read(new Uint8Array(0)),
        await read(packed),
      ];
    },
    AS_NODE,
  ],
  'the chunks are Uint8Array, empty input is a valid stream': [
    async () => {
      const chunks = await collect(
        ReadableStream.from([]).pipeThrough(new CompressionStream('deflate')),
      );
      const back = await collect(
        ReadableStream.from(chunks).pipeThrough(
          new DecompressionStream('deflate'),
        ),
      );
      return [
        chunks.every((chunk) => chunk instanceof Uint8Array),
        chunks.reduce((sum, chunk) => sum + chunk.length, 0),
        back,
      ];
    },
    [true, 8, []],
  ],
  'one member of gzip, and no more': [
    async () => {
      const pack = async () =>
        new Uint8Array(
          await new Response(
            new Blob(['abc'])
              .stream()
              .pipeThrough(new CompressionStream('gzip')),
          ).arrayBuffer(),
        );
      const one = await pack();
      const unpack = (...parts) =>
        rejected(
          new Response(
            new Blob(parts)
              .stream()
              .pipeThrough(new DecompressionStream('gzip')),
          ).text(),
        );
      return [await unpack(one), await unpack(one, one)];
    },
    AS_NODE,
  ],
});
