'use strict';

/* global thrown, rejected, collect */
const { standard } = require('./support.js');

standard('TransformStream', {
  'is an identity without a transformer, with backpressure': [
    async () => {
      const stream = new TransformStream();
      const writer = stream.writable.getWriter();
      const reader = stream.readable.getReader();
      const log = [writer.desiredSize];
      const written = writer.write('a');
      log.push(writer.desiredSize, await reader.read());
      await written;
      writer.close();
      log.push(await reader.read());
      return log;
    },
    [1, 0, { value: 'a', done: false }, { value: undefined, done: true }],
  ],
  'transform and flush may enqueue, errors reach both sides': [
    async () => {
      const twice = new TransformStream({
        start(c) {
          c.enqueue('s');
        },
        transform(chunk, c) {
          c.enqueue(chunk);
          c.enqueue(chunk);
        },
        flush(c) {
          c.enqueue('f');
        },
      });
      const log = [
        await collect(ReadableStream.from([1, 2]).pipeThrough(twice)),
      ];
      const bad = new TransformStream({
        transform() {
          throw new RangeError('t');
        },
      });
      const writer = bad.writable.getWriter();
      const reader = bad.readable.getReader();
      const results = [
        rejected(writer.write(1)),
        rejected(reader.read()),
        rejected(writer.closed),
        rejected(reader.closed),
      ];
      log.push(await Promise.all(results));
      const flush = new TransformStream({
        flush() {
          throw new RangeError('f');
        },
      });
      log.push(
        await Promise.all([
          rejected(flush.writable.close()),
          rejected(collect(flush.readable)),
        ]),
      );
      return log;
    },
    [
      ['s', 1, 1, 2, 2, 'f'],
      ['RangeError', 'RangeError', 'RangeError', 'RangeError'],
      ['RangeError', 'RangeError'],
    ],
  ],
  'terminate closes one side and errors the other': [
    async () => {
      const stream = new TransformStream({
        transform(chunk, c) {
          c.enqueue(chunk);
          c.terminate();
          log.push(
            thrown(() => c.enqueue(1)),
            c.desiredSize,
          );
        },
      });
      const log = [];
      const writer = stream.writable.getWriter();
      const reader = stream.readable.getReader();
      const written = rejected(writer.write(1));
      log.push(
        await reader.read(),
        await reader.read(),
        await written,
        await rejected(writer.closed),
      );
      return log;
    },
    [
      'TypeError',
      0,
      { value: 1, done: false },
      { value: undefined, done: true },
      ['none', undefined],
      'TypeError',
    ],
  ],
  'cancel of the transformer, from either side': [
    async () => {
      const log = [];
      const make = () =>
        new TransformStream({
          cancel(reason) {
            log.push(`cancel ${reason}`);
          },
          flush() {
            log.push('flush');
          },
        });
      const one = make();
      await one.readable.cancel('r');
      log.push(await rejected(one.writable.getWriter().closed));
      const two = make();
      await two.writable.abort('w');
      log.push(await rejected(two.readable.getReader().closed));
      return log;
    },
    ['cancel r', ['value', 'r'], 'cancel w', ['value', 'w']],
  ],
  'the arguments are checked': [
    () => [
      thrown(() => new TransformStream({ readableType: 'bytes' })),
      thrown(() => new TransformStream({ writableType: 'x' })),
      thrown(() => new TransformStream({ transform: 5 })),
      thrown(() => new TransformStream({}, { highWaterMark: -1 })),
      thrown(
        () =>
          new TransformStream({
            start() {
              throw new SyntaxError('s');
            },
          }),
      ),
      thrown(() => new TransformStreamDefaultController()),
      new TransformStream(undefined, { highWaterMark: 7 }).writable.getWriter()
        .desiredSize,
    ],
    [
      'RangeError',
      'RangeError',
      'TypeError',
      'RangeError',
      'SyntaxError',
      'TypeError',
      7,
    ],
  ],
});

standard('queuing strategies', {
  'count is one, bytes are byteLength, and the function is shared': [
    () => {
      const count = new CountQueuingStrategy({ highWaterMark: 3 });
      const bytes = new ByteLengthQueuingStrategy({ highWaterMark: '4' });
      return [
        count.highWaterMark,
        count.size('x'),
        bytes.highWaterMark,
        bytes.size({ byteLength: 9 }),
        bytes.size('x'),
        count.size === new CountQueuingStrategy({ highWaterMark: 1 }).size,
        count.size.name,
        count.size.length,
        bytes.size.length,
        'prototype' in count.size,
        thrown(() => new CountQueuingStrategy()),
        thrown(() => new CountQueuingStrategy({})),
        thrown(() => bytes.size()),
        new CountQueuingStrategy({ highWaterMark: -2 }).highWaterMark,
      ];
    },
    [
      3,
      1,
      4,
      9,
      undefined,
      true,
      'size',
      0,
      1,
      false,
      'TypeError',
      'TypeError',
      'TypeError',
      -2,
    ],
  ],
});
