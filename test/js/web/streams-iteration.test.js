'use strict';

/* global thrown, rejected, collect, later */
const { AS_NODE, standard } = require('./support.js');

standard('ReadableStream: iteration and from', {
  'leaving the loop cancels, unless it is prevented': [
    async () => {
      const log = [];
      const make = () =>
        new ReadableStream({
          start(c) {
            c.enqueue(1);
            c.enqueue(2);
          },
          cancel(r) {
            log.push(['cancel', r]);
          },
        });
      const one = make();
      for await (const chunk of one) {
        log.push(chunk);
        break;
      }
      const two = make();
      for await (const chunk of two.values({ preventCancel: true })) {
        log.push(chunk);
        break;
      }
      log.push(one.locked, two.locked, (await two.getReader().read()).value);
      return log;
    },
    [1, ['cancel', undefined], 1, false, false, 2],
  ],
  'the iterator: queued calls, return, and the end': [
    async () => {
      const stream = ReadableStream.from([1, 2]);
      const iterator = stream.values();
      const results = await Promise.all([
        iterator.next(),
        iterator.next(),
        iterator.next(),
        iterator.next(),
      ]);
      const proto = Object.getPrototypeOf(iterator);
      return [
        results,
        stream.locked,
        await iterator.return('r'),
        typeof proto.throw,
        Object.getPrototypeOf(proto) ===
          Object.getPrototypeOf(
            Object.getPrototypeOf(async function* () {}).prototype,
          ),
        proto.next?.name,
        proto.return?.length,
        iterator[Symbol.asyncIterator]() === iterator,
        ReadableStream.prototype.values ===
          ReadableStream.prototype[Symbol.asyncIterator],
      ];
    },
    AS_NODE,
  ],
  'an error ends the iteration': [
    async () => {
      const stream = new ReadableStream({
        pull(c) {
          c.error(new RangeError('i'));
        },
      });
      const iterator = stream.values();
      return [
        await rejected(iterator.next()),
        await iterator.next(),
        stream.locked,
      ];
    },
    ['RangeError', { value: undefined, done: true }, false],
  ],
  'from: iterables of all kinds': [
    async () => [
      await collect(ReadableStream.from([1, Promise.resolve(2)])),
      await collect(ReadableStream.from('a\u{1F600}')),
      await collect(ReadableStream.from(new Set([1, 2]))),
      await collect(
        ReadableStream.from(
          (function* () {
            yield 1;
            return 2;
          })(),
        ),
      ),
      await collect(
        ReadableStream.from(
          (async function* () {
            yield 1;
          })(),
        ),
      ),
      await collect(ReadableStream.from(ReadableStream.from(['x']))),
    ],
    [[1, 2], ['a', '\u{1F600}'], [1, 2], [1], [1], ['x']],
  ],
  'from: what is not iterable': [
    () =>
      [
        undefined,
        null,
        1,
        {},
        { [Symbol.iterator]: 1 },
        { [Symbol.asyncIterator]: () => 5 },
        {
          [Symbol.iterator]() {
            throw new SyntaxError('s');
          },
        },
      ]
        .map((value) => thrown(() => ReadableStream.from(value)))
        .concat(thrown(() => ReadableStream.from())),
    [
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'SyntaxError',
      'TypeError',
    ],
  ],
  'from: cancel is return, and pull is next': [
    async () => {
      const log = [];
      const iterable = {
        async next() {
          log.push('next');
          return { value: log.length, done: false };
        },
        async return(reason) {
          log.push(`return ${reason}`);
          return {};
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
      const stream = ReadableStream.from(iterable);
      const reader = stream.getReader();
      await later(1);
      log.push((await reader.read()).value);
      await reader.cancel('c');
      const without = ReadableStream.from({
        next: () => ({}),
        [Symbol.iterator]() {
          return this;
        },
      });
      log.push(await without.cancel());
      const odd = ReadableStream.from({
        next: async () => 5,
        [Symbol.asyncIterator]() {
          return this;
        },
      });
      log.push(await rejected(odd.getReader().read()));
      return log;
    },
    ['next', 1, 'return c', undefined, 'TypeError'],
  ],
});
