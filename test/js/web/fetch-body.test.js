'use strict';

/* global thrown, rejected, collect */
const { standard } = require('./support.js');

standard('bodies', {
  'every method, on every kind of body': [
    async () => {
      const bodies = () => [
        '{"a":1}',
        new Blob(['{"a":1}']),
        new TextEncoder().encode('{"a":1}'),
        new TextEncoder().encode('{"a":1}').buffer,
        new DataView(new TextEncoder().encode('{"a":1}').buffer),
        new Blob(['{"a":1}']).stream(),
        new String('{"a":1}'),
      ];
      const results = [];
      for (const body of bodies()) {
        const made = () =>
          new Response(
            body instanceof ReadableStream
              ? new Blob(['{"a":1}']).stream()
              : body,
          );
        const buffer = await made().arrayBuffer();
        const blob = await made().blob();
        const bytes = await made().bytes();
        results.push(
          await made().text(),
          (await made().json()).a,
          buffer instanceof ArrayBuffer && buffer.byteLength,
          blob instanceof Blob && blob.size,
          bytes instanceof Uint8Array && bytes.length,
          (await collect(made().body)).length,
        );
      }
      return [...new Set(results)];
    },
    ['{"a":1}', 1, 7],
  ],
  'none at all is empty': [
    async () => [
      await new Response().text(),
      (await new Response().arrayBuffer()).byteLength,
      (await new Response().blob()).size,
      await rejected(new Response().json()),
      await rejected(new Response('').json()),
      new Response().bodyUsed,
      await rejected(new Response().formData()),
    ],
    ['', 0, 0, 'SyntaxError', 'SyntaxError', false, 'TypeError'],
  ],
  'is used once, from the moment of the call': [
    async () => {
      const response = new Response('x');
      const first = response.text();
      const used = response.bodyUsed;
      const log = [
        used,
        await first,
        await rejected(response.text()),
        await rejected(response.arrayBuffer()),
      ];
      const stream = new Response('abc');
      const { body } = stream;
      const same = stream.body === body;
      const reader = body.getReader();
      log.push(same, stream.bodyUsed, await rejected(stream.text()));
      await reader.read();
      reader.releaseLock();
      log.push(stream.bodyUsed, await rejected(stream.text()));
      const cancelled = new Response('abc');
      await cancelled.body.cancel();
      log.push(cancelled.bodyUsed);
      return log;
    },
    [
      true,
      'x',
      'TypeError',
      'TypeError',
      true,
      false,
      'TypeError',
      true,
      'TypeError',
      true,
    ],
  ],
  'streams that cannot be bodies': [
    async () => {
      const locked = new ReadableStream();
      locked.getReader();
      const read = new ReadableStream({
        start(c) {
          c.enqueue(1);
        },
      });
      const reader = read.getReader();
      await reader.read();
      reader.releaseLock();
      return [
        thrown(() => new Response(locked)),
        thrown(() => new Response(read)),
        await rejected(new Response(ReadableStream.from(['text'])).text()),
        await rejected(new Response(ReadableStream.from([1])).bytes()),
        await rejected(
          new Response(
            new ReadableStream({
              start(c) {
                c.error(new RangeError('b'));
              },
            }),
          ).text(),
        ),
      ];
    },
    ['TypeError', 'TypeError', 'TypeError', 'TypeError', 'RangeError'],
  ],
  'a mark at the beginning goes from text and json, the type stays with a blob':
    [
      async () => {
        const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0x31);
        const typed = async (type) =>
          (
            await new Response('x', {
              headers: { 'content-type': type },
            }).blob()
          ).type;
        return [
          await new Response(bytes).text(),
          await new Response(bytes).json(),
          (await new Response(bytes).bytes()).length,
          await typed('Text/HTML; Charset="utf-8"'),
          await typed('broken'),
          await typed('text/html\f'),
          (await new Response(bytes).blob()).type,
        ];
      },
      ['1', 1, 4, 'text/html;charset=utf-8', '', '', ''],
    ],
  'the stream is one of bytes, and pipes through': [
    async () => {
      const reader = new Response('abc').body.getReader({ mode: 'byob' });
      const { value } = await reader.read(new Uint8Array(8));
      const packed = new Response('text').body.pipeThrough(
        new CompressionStream('gzip'),
      );
      const back = new Response(packed).body.pipeThrough(
        new DecompressionStream('gzip'),
      );
      return [[...value], await new Response(back).text()];
    },
    [[97, 98, 99], 'text'],
  ],
  'the bytes are taken when it is made': [
    async () => {
      const bytes = Uint8Array.of(97);
      const response = new Response(bytes);
      bytes[0] = 98;
      return response.text();
    },
    'a',
  ],
  'methods reject for other objects': [
    async () =>
      Promise.all(
        ['text', 'json', 'blob', 'bytes', 'arrayBuffer', 'formData'].map(
          (name) => rejected(Response.prototype[name].call({})),
        ),
      ),
    Array.from({ length: 6 }, () => 'TypeError'),
  ],
});
